import { Overloaded, Semaphore } from '../../base/semaphore.ts';
import { BackendUnavailable } from '../outcome.ts';
import type { Circuit } from './circuit.ts';
import type { RegistrarDriver, RegistryDriver } from './port.ts';
import { RefusedQuestion } from './refused-question.ts';

export interface RegistrarConnectionOptions {
  /** How many commands are under way at once, and how many more wait for their turn. */
  readonly commands: number;
  readonly waiting: number;
  /** How long whoever asks waits for an answer to a question, or to a command; the outcome is unknown then. */
  readonly questionMs: number;
  readonly commandMs: number;
}

/**
 * The commands to one registry. What is slow there waits there: its commands take their own places only, and while it
 * is down they fail at once.
 */
export class RegistrarConnection {
  readonly #name: string;
  readonly #driver: RegistrarDriver;
  readonly #options: RegistrarConnectionOptions;
  readonly #circuit: Circuit;
  readonly #places: Semaphore;

  constructor(name: string, driver: RegistrarDriver, options: RegistrarConnectionOptions, circuit: Circuit) {
    this.#name = name;
    this.#driver = driver;
    this.#options = options;
    this.#circuit = circuit;
    this.#places = new Semaphore(options.commands, options.waiting);
  }

  ask<T>(question: (driver: RegistrarDriver) => Promise<T>): Promise<T> {
    return this.#run(question, this.#options.questionMs);
  }

  command<T>(command: (driver: RegistrarDriver) => Promise<T>): Promise<T> {
    return this.#run(command, this.#options.commandMs);
  }

  async #run<T>(work: (driver: RegistrarDriver) => Promise<T>, patienceMs: number): Promise<T> {
    if (!this.#circuit.admits()) throw this.#unavailable(new Error('it has failed several times in a row'));
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`nothing came within ${patienceMs} ms`)),
      patienceMs,
    );
    try {
      // The place stays taken until the driver lets go, also when nobody waits for it any more.
      const answer = await Promise.race([this.#places.run(() => work(this.#driver)), late.promise]);
      this.#circuit.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof RefusedQuestion) this.#circuit.succeeded();
      // That too many wait says nothing of the registry that the others will not.
      else if (!(error instanceof Overloaded)) this.#circuit.failed();
      throw this.#unavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #unavailable(error: unknown): BackendUnavailable {
    return error instanceof BackendUnavailable ? error : new BackendUnavailable(this.#name, error);
  }
}

/** Whether domains can be registered over this connection; otherwise it knows only what is available. */
export function isRegistrar(driver: RegistryDriver): driver is RegistrarDriver {
  return 'register' in driver;
}
