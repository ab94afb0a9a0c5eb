import type { Clock } from '../../../base/clock.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type * as port from '../port.ts';
import { RefusedQuestion } from '../refused-question.ts';
import { checkDomains } from './check.ts';
import { deleteDomain } from './delete.ts';
import { findDomain, told } from './domain.ts';
import { EppLine, type LineOptions } from './line.ts';
import { acknowledge, nextMessage } from './message.ts';
import type { Profile } from './profile.ts';
import { outcomeOf, Refused } from './refusal.ts';
import { registerDomain } from './register.ts';
import type { EppRegistry } from './registry.ts';
import { renewDomain } from './renew.ts';
import { restoreDomain } from './restore.ts';
import { endTransfer, findTransfer, requestTransfer } from './transfer.ts';
import { updateDomain } from './update.ts';
import type { Greeting } from './wire/greeting.ts';

export interface EppRegistrarOptions extends LineOptions {
  readonly clock: Clock;
  /** The one that fees are asked for in. */
  readonly currency: () => string;
  readonly profileOf: (tld: string) => Profile;
  /** Why names under a TLD are not registered over this connection; null: nothing is known against it. */
  readonly objectionTo: (tld: string) => string | null;
  /** A registry's own words for a refusal. */
  readonly onRefusal: (refusal: Refused) => void;
}

type Outcome<Result> = Promise<port.RegistryOutcome<Result>>;

/** A registry over EPP (RFC 5730 to 5734). Every command looks first, so that none is applied twice (rule F4). */
export class EppRegistrar implements port.RegistrarDriver {
  readonly #options: EppRegistrarOptions;
  readonly #registry: EppRegistry;

  constructor(options: EppRegistrarOptions) {
    const { clientId, currency, profileOf, clock } = options;
    this.#options = options;
    this.#registry = { line: new EppLine(options), clientId, currency, profileOf, clock };
  }

  /** Connects and logs in, if that is not done. Throws BackendUnavailable. */
  greeting(): Promise<Greeting> {
    return this.#registry.line.greeting();
  }

  /** Why it does not greet us and let us in; null: it does. */
  async problem(): Promise<string | null> {
    try {
      await this.greeting();
      return null;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : null;
      return cause instanceof Error ? cause.message : String(error);
    }
  }

  /** Why names under a TLD cannot be registered over this connection; null: nothing is known against it. */
  objectionTo(tld: string): string | null {
    return this.#options.objectionTo(tld);
  }

  /** Those of the fields that customers are asked for of contacts under a TLD that its registry is never told. */
  untoldFields(tld: string, fields: readonly string[]): readonly string[] {
    const told = new Set(this.#options.profileOf(tld).contactExtension?.fields.map(({ name }) => name));
    return fields.filter((field) => !told.has(field));
  }

  close(): Promise<void> {
    return this.#registry.line.close();
  }

  check(
    questions: readonly port.DomainQuestion[],
    answer: (availability: port.DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#known(() => checkDomains(this.#registry, questions, answer, signal));
  }

  info(ref: port.DomainRef, authcode?: string): Promise<port.RegisteredDomain | null> {
    return this.#known(async () => {
      const found = await findDomain(this.#registry, ref, authcode);
      return found === null ? null : told(found);
    });
  }

  transfer(ref: port.DomainRef): Promise<port.RegistryTransfer | null> {
    return this.#known(() => findTransfer(this.#registry, ref));
  }

  register(wanted: port.WantedRegistration): Outcome<port.RegisteredDomain> {
    return this.#outcome(() => registerDomain(this.#registry, wanted));
  }

  renew(wanted: port.WantedRenewal): Outcome<{ readonly expireAt: Temporal.Instant }> {
    return this.#outcome(() => renewDomain(this.#registry, wanted));
  }

  requestTransfer(wanted: port.WantedTransfer): Outcome<port.RegistryTransfer> {
    return this.#outcome(() => requestTransfer(this.#registry, wanted));
  }

  cancelTransfer(ref: port.DomainRef): Outcome<null> {
    return this.#outcome(() => endTransfer(this.#registry, ref, 'cancel'));
  }

  answerTransfer(ref: port.DomainRef, answer: 'approve' | 'reject'): Outcome<null> {
    return this.#outcome(() => endTransfer(this.#registry, ref, answer));
  }

  update(wanted: port.WantedDomain): Outcome<port.RegisteredDomain> {
    return this.#outcome(() => updateDomain(this.#registry, wanted));
  }

  delete(ref: port.DomainRef): Outcome<port.RegisteredDomain | null> {
    return this.#outcome(() => deleteDomain(this.#registry, ref));
  }

  restore(wanted: port.DomainRef & { readonly fee: port.AcceptedFee }): Outcome<port.RegisteredDomain> {
    return this.#outcome(() => restoreDomain(this.#registry, wanted));
  }

  nextMessage(): Promise<port.RegistryMessage | null> {
    return this.#known(() => nextMessage(this.#registry));
  }

  acknowledge(messageId: string): Promise<void> {
    return this.#known(() => acknowledge(this.#registry, messageId));
  }

  #outcome<Result>(command: () => Outcome<Result>): Outcome<Result> {
    return this.#known(() => outcomeOf(command, this.#options.onRefusal));
  }

  /** Whatever goes wrong, the port knows one error. Only who takes a question back hears the reason of that. */
  async #known<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof BackendUnavailable || isAbort(error)) throw error;
      const Failure = error instanceof Refused ? RefusedQuestion : BackendUnavailable;
      throw new Failure(this.#options.name, error);
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
