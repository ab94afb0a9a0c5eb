import { BackendUnavailable } from '../outcome.ts';
import { type ConnectionOptions, RegistryConnection, unanswered } from './connection.ts';
import type { DomainAvailability, DomainQuestion, RegistryDriver, RegistryQueries } from './port.ts';

const DEFAULTS: ConnectionOptions = {
  deadlineMs: 1_500,
  rememberMs: 5_000,
  maxRemembered: 10_000,
  maxAsked: 10_000,
  onFailure: () => {},
};

/**
 * Sends each question to the registry connection that its TLD belongs to, all at once and under one deadline,
 * so that a registry that is slow or down costs only the answers for its own names.
 */
export class RoutedRegistryQueries implements RegistryQueries {
  readonly #connections: ReadonlyMap<string, RegistryConnection>;
  readonly #onFailure: ConnectionOptions['onFailure'];

  /** `drivers` by the names that the catalogue calls the registry connections. */
  constructor(drivers: ReadonlyMap<string, RegistryDriver>, options: Partial<ConnectionOptions> = {}) {
    const complete = { ...DEFAULTS, ...options };
    this.#onFailure = complete.onFailure;
    this.#connections = new Map(
      [...drivers].map(([name, driver]) => [name, new RegistryConnection(name, driver, complete)]),
    );
  }

  async check(questions: readonly DomainQuestion[]): Promise<readonly DomainAvailability[]> {
    const byRegistry = Map.groupBy(questions, (question) => question.registry);
    const answered = await Promise.all(
      [...byRegistry].map(([registry, asked]) => this.#ask(registry, asked)),
    );
    const answers = new Map(answered.flat().map((answer) => [answer.domain, answer]));
    return questions.map((question) => answers.get(question.domain) ?? unanswered(question));
  }

  async #ask(registry: string, questions: readonly DomainQuestion[]): Promise<readonly DomainAvailability[]> {
    const connection = this.#connections.get(registry);
    if (connection !== undefined) return await connection.check(questions);
    this.#onFailure(new BackendUnavailable(registry, new Error('no such connection is configured')));
    return [];
  }
}
