import { Semaphore } from '../../../base/semaphore.ts';
import type { DomainAvailability, DomainQuestion, RegistryDriver } from '../port.ts';

/** Each is a connection of its own, to whichever server the TLD has. */
const MOST_AT_ONCE = 64;
const MOST_WAITING = 1_000;

/**
 * Asks by RDAP whether a name is registered, as far as a server says: null where it answers without saying. Rejects
 * when nobody answers. It must not remember: answers are remembered for the connection.
 */
export type RdapQuestion = (domain: string) => Promise<boolean | null>;

/**
 * Availability for TLDs that there is no connection to, by RDAP (RFC 9082). What it finds is taken. What it does not
 * find is `unconfirmed`, never available: registries answer 404 for reserved names and for those they refuse to
 * register too (rule F9). Nothing can be registered over it.
 */
export class RdapRegistry implements RegistryDriver {
  readonly #isRegistered: RdapQuestion;
  readonly #slots = new Semaphore(MOST_AT_ONCE, MOST_WAITING);

  constructor(isRegistered: RdapQuestion) {
    this.#isRegistered = isRegistered;
  }

  async check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const failures: unknown[] = [];
    const asking = questions.map(async (question) => {
      try {
        const availability = await this.#slots.run(async () => await this.#ask(question, signal));
        if (availability !== null && !signal.aborted) answer(availability);
      } catch (error) {
        failures.push(error);
      }
    });
    await Promise.race([Promise.all(asking), aborted(signal)]);
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} names have no answer`);
  }

  /** null: the server answers, but does not say. */
  async #ask({ domain }: DomainQuestion, signal: AbortSignal): Promise<DomainAvailability | null> {
    signal.throwIfAborted();
    const registered = await this.#isRegistered(domain);
    if (registered === null) return null;
    return { domain, available: false, reason: registered ? 'taken' : 'unconfirmed', premium: null };
  }
}

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
