import { BackendUnavailable } from '../outcome.ts';
import { AnswerMemory } from './answer-memory.ts';
import type { Circuit } from './circuit.ts';
import type { DomainAvailability, DomainQuestion, RegistryDriver } from './port.ts';
import { RefusedQuestion } from './refused-question.ts';

export interface ConnectionOptions {
  /** How long the registry has for an answer. */
  readonly deadlineMs: number;
  /** How long an answer is repeated without asking again. */
  readonly rememberMs: number;
  /** The most answers that are remembered. */
  readonly maxRemembered: number;
  /** The most names that are being asked about at once; further ones are not asked. */
  readonly maxAsked: number;
  /** Told of names that stayed without an answer; the cause is what the driver threw, or the deadline. */
  readonly onFailure: (failure: BackendUnavailable) => void;
}

/**
 * The questions to one registry connection. A name that was answered a moment ago, or is being asked about, is
 * not asked again: typing in a search box and several people searching the same cost one question each.
 */
export class RegistryConnection {
  readonly #name: string;
  readonly #driver: RegistryDriver;
  readonly #options: ConnectionOptions;
  readonly #circuit: Circuit | null;
  readonly #memory: AnswerMemory;
  readonly #asked = new Map<string, PromiseWithResolvers<DomainAvailability>>();

  /** Without a circuit, the registry is asked however often it has failed. */
  constructor(name: string, driver: RegistryDriver, options: ConnectionOptions, circuit: Circuit | null) {
    this.#name = name;
    this.#driver = driver;
    this.#options = options;
    this.#circuit = circuit;
    this.#memory = new AnswerMemory(options.maxRemembered, options.rememberMs);
  }

  /** One answer per question, in order; never later than the deadline, never a rejection. */
  check(questions: readonly DomainQuestion[]): Promise<DomainAvailability[]> {
    const open: DomainQuestion[] = [];
    let crowded = false;
    const answers = questions.map((question) => {
      const remembered = this.#memory.get(question.domain);
      if (remembered !== null) return remembered;
      const asked = this.#asked.get(question.domain);
      if (asked !== undefined) return asked.promise;
      if (this.#asked.size >= this.#options.maxAsked) {
        crowded = true;
        return unanswered(question);
      }
      const pending = Promise.withResolvers<DomainAvailability>();
      this.#asked.set(question.domain, pending);
      open.push(question);
      return pending.promise;
    });
    if (crowded) this.#fail(new Error('too many names are being asked about'));
    if (open.length > 0) void this.#ask(open);
    return Promise.all(answers);
  }

  async #ask(questions: readonly DomainQuestion[]): Promise<void> {
    const open = new Map(questions.map((question) => [question.domain, question]));
    if (this.#circuit?.admits() === false) {
      this.#fail(new Error('it has failed several times in a row'));
      for (const question of questions) this.#settle(unanswered(question));
      return;
    }
    const deadline = Promise.withResolvers<never>();
    const abort = new AbortController();
    const timer = setTimeout(() => {
      abort.abort();
      deadline.reject(new Error(`nothing came within ${this.#options.deadlineMs} ms`));
    }, this.#options.deadlineMs);
    let isThere = false;
    try {
      const answered = this.#driver.check(
        questions,
        (answer) => {
          // After the deadline the names may have been asked about anew: those answers belong to that call.
          if (!abort.signal.aborted && open.delete(answer.domain)) this.#settle(answer);
        },
        abort.signal,
      );
      await Promise.race([answered, deadline.promise]);
      if (open.size > 0) this.#fail(new Error('names were left without an answer'));
    } catch (error) {
      isThere = error instanceof RefusedQuestion;
      if (open.size > 0) this.#fail(error);
    } finally {
      clearTimeout(timer);
      if (open.size > 0) abort.abort();
      // One answer is enough: a registry that leaves names out is not down.
      if (isThere || open.size < questions.length) this.#circuit?.succeeded();
      else this.#circuit?.failed();
      for (const question of open.values()) this.#settle(unanswered(question));
    }
  }

  #fail(cause: unknown): void {
    this.#options.onFailure(new BackendUnavailable(this.#name, cause));
  }

  #settle(answer: DomainAvailability): void {
    if (answer.reason !== 'registry_unavailable') this.#memory.add(answer);
    this.#asked.get(answer.domain)?.resolve(answer);
    this.#asked.delete(answer.domain);
  }
}

/** Nobody knows, and nobody guesses. */
export function unanswered(question: DomainQuestion): DomainAvailability {
  return { domain: question.domain, available: false, reason: 'registry_unavailable', premium: null };
}
