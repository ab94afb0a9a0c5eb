import type { Instant } from '../../base/time.ts';
import { BackendUnavailable } from '../outcome.ts';
import { Circuit } from './circuit.ts';
import { type ConnectionOptions, RegistryConnection, unanswered } from './connection.ts';
import type {
  AcceptedFee,
  DomainAvailability,
  DomainQuestion,
  DomainRef,
  RegisteredDomain,
  Registries,
  RegistryDriver,
  RegistryMessage,
  RegistryOutcome,
  RegistryTransfer,
  TransferObstacle,
  TransferQuestion,
  WantedDomain,
  WantedRegistration,
  WantedRenewal,
  WantedTransfer,
} from './port.ts';
import { isRegistrar, RegistrarConnection, type RegistrarConnectionOptions } from './registrar-connection.ts';

export interface RoutingOptions extends ConnectionOptions, RegistrarConnectionOptions {
  /** So many failures in a row, and a registry is left alone for so long before it is tried again. */
  readonly failuresToOpen: number;
  readonly openMs: number;
}

const DEFAULTS: RoutingOptions = {
  deadlineMs: 1_500,
  rememberMs: 5_000,
  maxRemembered: 10_000,
  maxAsked: 10_000,
  onFailure: () => {},
  commands: 4,
  waiting: 16,
  questionMs: 5_000,
  commandMs: 60_000,
  failuresToOpen: 5,
  openMs: 10_000,
};

/** A registry connection: for availability, and for commands where it has them. */
interface Route {
  readonly availability: RegistryConnection;
  readonly registrar: RegistrarConnection | null;
}

/**
 * All registries as one: each question and each command goes to the connection that the catalogue maps the TLD to.
 * Connections share nothing, so that a registry that is slow or down costs only what is for its own names.
 */
export class RoutedRegistries implements Registries {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #onFailure: ConnectionOptions['onFailure'];
  readonly #deadlineMs: number;

  /** `drivers` by the names that the catalogue calls the registry connections. */
  constructor(drivers: ReadonlyMap<string, RegistryDriver>, options: Partial<RoutingOptions> = {}) {
    const complete = { ...DEFAULTS, ...options };
    this.#onFailure = complete.onFailure;
    this.#deadlineMs = complete.deadlineMs;
    this.#routes = new Map([...drivers].map(([name, driver]) => [name, routeTo(name, driver, complete)]));
  }

  async check(questions: readonly DomainQuestion[]): Promise<readonly DomainAvailability[]> {
    const byRegistry = Map.groupBy(questions, (question) => question.registry);
    const answered = await Promise.all(
      [...byRegistry].map(([registry, asked]) => this.#ask(registry, asked)),
    );
    const answers = new Map(answered.flat().map((answer) => [answer.domain, answer]));
    return questions.map((question) => answers.get(question.domain) ?? unanswered(question));
  }

  async transferObstacles(
    questions: readonly TransferQuestion[],
  ): Promise<readonly (TransferObstacle | null)[]> {
    return await Promise.all(questions.map((question) => this.#transferObstacle(question)));
  }

  async info(domain: DomainRef, authcode?: string): Promise<RegisteredDomain | null> {
    return await this.#registrar(domain.registry).ask((driver) => driver.info(domain, authcode));
  }

  async transfer(domain: DomainRef): Promise<RegistryTransfer | null> {
    return await this.#registrar(domain.registry).ask((driver) => driver.transfer(domain));
  }

  async nextMessage(registry: string): Promise<RegistryMessage | null> {
    const route = this.#routes.get(registry);
    // A connection without commands has nothing to tell.
    if (route?.registrar === null) return null;
    return await this.#registrar(registry).ask((driver) => driver.nextMessage());
  }

  async acknowledge(registry: string, messageId: string): Promise<void> {
    await this.#registrar(registry).command((driver) => driver.acknowledge(messageId));
  }

  register(wanted: WantedRegistration): Promise<RegistryOutcome<RegisteredDomain>> {
    return this.#command(wanted, (connection) => connection.command((driver) => driver.register(wanted)));
  }

  renew(wanted: WantedRenewal): Promise<RegistryOutcome<{ readonly expireAt: Instant }>> {
    return this.#command(wanted, (connection) => connection.command((driver) => driver.renew(wanted)));
  }

  requestTransfer(wanted: WantedTransfer): Promise<RegistryOutcome<RegistryTransfer>> {
    return this.#command(wanted, (connection) =>
      connection.command((driver) => driver.requestTransfer(wanted)),
    );
  }

  cancelTransfer(domain: DomainRef): Promise<RegistryOutcome<null>> {
    return this.#command(domain, (connection) =>
      connection.command((driver) => driver.cancelTransfer(domain)),
    );
  }

  answerTransfer(domain: DomainRef, answer: 'approve' | 'reject'): Promise<RegistryOutcome<null>> {
    return this.#command(domain, (connection) =>
      connection.command((driver) => driver.answerTransfer(domain, answer)),
    );
  }

  update(wanted: WantedDomain): Promise<RegistryOutcome<RegisteredDomain>> {
    return this.#command(wanted, (connection) => connection.command((driver) => driver.update(wanted)));
  }

  delete(domain: DomainRef): Promise<RegistryOutcome<RegisteredDomain | null>> {
    return this.#command(domain, (connection) => connection.command((driver) => driver.delete(domain)));
  }

  restore(wanted: DomainRef & { readonly fee: AcceptedFee }): Promise<RegistryOutcome<RegisteredDomain>> {
    return this.#command(wanted, (connection) => connection.command((driver) => driver.restore(wanted)));
  }

  async #transferObstacle({ authcode, ...ref }: TransferQuestion): Promise<TransferObstacle | null> {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), this.#deadlineMs);
    try {
      const found = await Promise.race([this.info(ref, authcode), late.promise]);
      if (found?.authcodeRefused) return 'authcode_invalid';
      return found?.statuses.some((status) => status.endsWith('TransferProhibited'))
        ? 'transfer_locked'
        : null;
    } catch {
      // Whoever orders is told by the task then.
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  async #command<Result>(
    { registry }: DomainRef,
    run: (connection: RegistrarConnection) => Promise<RegistryOutcome<Result>>,
  ): Promise<RegistryOutcome<Result>> {
    const connection = this.#routes.get(registry)?.registrar ?? null;
    return connection === null ? { kind: 'refused', reason: 'not_supported' } : await run(connection);
  }

  #registrar(registry: string): RegistrarConnection {
    const connection = this.#routes.get(registry)?.registrar ?? null;
    if (connection !== null) return connection;
    throw new BackendUnavailable(registry, new Error('no such connection registers domains'));
  }

  async #ask(registry: string, questions: readonly DomainQuestion[]): Promise<readonly DomainAvailability[]> {
    const route = this.#routes.get(registry);
    if (route !== undefined) return await route.availability.check(questions);
    this.#onFailure(new BackendUnavailable(registry, new Error('no such connection is configured')));
    return [];
  }
}

function routeTo(name: string, driver: RegistryDriver, options: RoutingOptions): Route {
  // What only knows availability asks many registries (RDAP): that some do not answer says nothing of the others.
  if (!isRegistrar(driver))
    return { availability: new RegistryConnection(name, driver, options, null), registrar: null };
  const circuit = new Circuit(options.failuresToOpen, options.openMs);
  return {
    availability: new RegistryConnection(name, driver, options, circuit),
    registrar: new RegistrarConnection(name, driver, options, circuit),
  };
}
