import type { DelegationSigner } from '../../base/delegation-signer.ts';
import type { Instant } from '../../base/time.ts';
import type { CommandOutcome } from '../outcome.ts';

/** What a registry says about one name. */
export interface DomainAvailability {
  /** The name as it was asked for: punycode, lower case. */
  readonly domain: string;
  readonly available: boolean;
  /** null exactly where the name is available. */
  readonly reason: UnavailableReason | null;
  /** A premium name has prices of its own, in ten-thousandths of the catalogue's currency; null: list price. */
  readonly premium: PremiumPrices | null;
}

export type UnavailableReason = 'taken' | 'reserved' | 'invalid' | 'registry_unavailable' | 'unconfirmed';

/** Prices for one year, as unit prices; transfer is null where the registry offers none for the name. */
export interface PremiumPrices {
  readonly register: bigint;
  readonly renew: bigint;
  readonly transfer: bigint | null;
  readonly restore: bigint;
}

export interface DomainQuestion {
  /** Punycode, lower case, without the root's dot: `name.tld`. */
  readonly domain: string;
  readonly tld: string;
  /** The registry connection that the catalogue maps the TLD to. */
  readonly registry: string;
}

/** Questions to registries, whichever they are. */
export interface RegistryQueries {
  /**
   * One answer per question, in order, within the deadline that was set when this was made. What a registry
   * does not say in time is `available: false, reason: 'registry_unavailable'`, for these names only. It never
   * throws. Answers may be a few seconds old.
   */
  check(questions: readonly DomainQuestion[]): Promise<readonly DomainAvailability[]>;
  /**
   * What stands against having others' domains transferred to us, one answer per question, in order, as far as
   * registries tell it within the same deadline; null: nothing that is known. It never throws.
   */
  transferObstacles(questions: readonly TransferQuestion[]): Promise<readonly (TransferObstacle | null)[]>;
  /**
   * null: not registered. `authcode` is for domains of others, where a registry tells more with it; one that tells
   * nothing of them tells at least that they are not here. Throws BackendUnavailable without an answer.
   */
  info(domain: DomainRef, authcode?: string): Promise<RegisteredDomain | null>;
}

export interface TransferQuestion extends DomainQuestion {
  readonly authcode: string;
}

export type TransferObstacle = 'authcode_invalid' | 'transfer_locked';

/** Where a domain is registered: the name in punycode, its TLD, and the connection that the catalogue maps the TLD to. */
export type DomainRef = DomainQuestion;

/** A person or organisation as a registry keeps it (RFC 5733). Texts are trimmed; absent ones are null. */
export interface RegistryContact {
  /** Ours, 3 to 16 characters of `A-Z0-9-`: the same contact always has the same one, so making it twice makes one. */
  readonly handle: string;
  readonly type: 'person' | 'organisation' | 'role';
  readonly name: string;
  readonly organisation: string | null;
  /** One to three lines. */
  readonly street: readonly string[];
  readonly city: string;
  readonly region: string | null;
  readonly zip: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** E.164 as `+CC.number`. */
  readonly phone: string;
  readonly fax: string | null;
  readonly email: string;
  /** Whether the registry is to show the person's details, where it lets us choose. */
  readonly disclosed: boolean;
  /** What this TLD asks for besides, as the catalogue's `contact_schema` names it. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export type ContactRole = 'admin' | 'tech' | 'billing';

/** A delegation to one name server; addresses exactly where the name is below the domain itself (glue). */
export interface NameServerHost {
  readonly hostname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

export type { DelegationSigner };

/** What we may set of a domain's statuses (RFC 5731 §2.3). */
export type ClientStatus =
  | 'clientHold'
  | 'clientTransferProhibited'
  | 'clientUpdateProhibited'
  | 'clientDeleteProhibited'
  | 'clientRenewProhibited';

/** A registration as its registry has it. */
export interface RegisteredDomain {
  readonly domain: string;
  /** Whether it is in our hands; of others' domains a registry tells little. */
  readonly sponsoredHere: boolean;
  /** Its registrar, as the registry names it; null where it does not say whose others' domains are. */
  readonly registrar: string | null;
  /** EPP statuses, RFC 3915's among them (`redemptionPeriod`, `addPeriod` …). */
  readonly statuses: readonly string[];
  readonly registrant: string | null;
  readonly contacts: Readonly<Partial<Record<ContactRole, string>>>;
  readonly nameservers: readonly NameServerHost[];
  readonly ds: readonly DelegationSigner[];
  /** Of our domains, always; of others', where the registry says. */
  readonly createdAt: Instant | null;
  /** Not every registry has an end of the registration. */
  readonly expireAt: Instant | null;
  /** It was asked for with a code that the registry says is wrong. */
  readonly authcodeRefused?: boolean;
}

export type TransferStatus = 'pending' | 'approved' | 'rejected' | 'cancelled';

/** The last transfer of a domain that its registry tells us of (RFC 5731 §3.1.3). */
export interface RegistryTransfer {
  readonly domain: string;
  readonly status: TransferStatus;
  /** Whether the request was ours; otherwise it is a domain of ours that somebody asks for. */
  readonly requestedHere: boolean;
  readonly requestedAt: Instant;
  /** When whoever must act had, or has, to act at the latest. */
  readonly actAt: Instant;
}

/** Something that a registry tells without being asked (RFC 5730 §2.9.2.3). */
export interface RegistryMessage {
  readonly id: string;
  readonly at: Instant;
  readonly text: string;
  /** What it says of a domain, where we understand it. */
  readonly about:
    | { readonly kind: 'transfer'; readonly transfer: RegistryTransfer }
    | { readonly kind: 'domain'; readonly domain: string; readonly change: 'renewed' | 'deleted' | 'updated' }
    | null;
}

/** Why a registry will never do what it was told. The driver's own words go to the log. */
export type RegistryRefusal =
  | 'domain_not_available'
  | 'not_found'
  | 'authcode_invalid'
  | 'transfer_locked'
  | 'contact_invalid'
  | 'nameserver_invalid'
  | 'fee_differs'
  | 'period_not_allowed'
  | 'state_conflict'
  | 'billing'
  | 'not_supported'
  | 'policy';

export type RegistryOutcome<Result> = CommandOutcome<Result, RegistryRefusal>;

/**
 * A price that was shown and accepted: a registry that asks another refuses (`fee_differs`). `amount` is for the whole
 * command, all its years, in ten-thousandths of the currency as in {@link PremiumPrices}. null: not a premium name.
 */
export type AcceptedFee = { readonly amount: bigint; readonly currency: string } | null;

export interface WantedContacts {
  readonly registrant: RegistryContact;
  readonly admin: RegistryContact | null;
  readonly tech: RegistryContact | null;
  readonly billing: RegistryContact | null;
}

export interface WantedRegistration extends DomainRef, WantedContacts {
  readonly years: number;
  readonly nameservers: readonly NameServerHost[];
  readonly ds: readonly DelegationSigner[];
  readonly authcode: string;
  readonly fee: AcceptedFee;
  /**
   * When it was ordered: what is registered here since then is what was ordered (rule F4). A driver allows for a
   * registry's clock that is a minute behind.
   */
  readonly since: Instant;
}

export interface WantedRenewal extends DomainRef {
  readonly years: number;
  /** The end that the order was made against; a registration that ends later was renewed already (rule F4). */
  readonly believedExpireAt: Instant;
  readonly fee: AcceptedFee;
}

export interface WantedTransfer extends DomainRef {
  readonly authcode: string;
  /** null: a transfer that brings no further term. */
  readonly years: number | null;
  readonly fee: AcceptedFee;
  readonly since: Instant;
}

/** What a domain of ours is to be like; what is left out stays as it is. */
export interface WantedDomain extends DomainRef {
  readonly contacts?: Partial<WantedContacts>;
  readonly nameservers?: readonly NameServerHost[];
  readonly ds?: readonly DelegationSigner[];
  /** Exactly these of the statuses that clients set. */
  readonly statuses?: readonly ClientStatus[];
  /** null clears it (RFC 9154). */
  readonly authcode?: string | null;
}

/**
 * What jobs may do. Commands name the wanted state and look before they change anything, so they may run twice;
 * they throw BackendUnavailable when their outcome is unknown. After a refusal nothing has changed.
 */
export interface Registries extends RegistryQueries {
  /** The last transfer; null: none is known. */
  transfer(domain: DomainRef): Promise<RegistryTransfer | null>;
  register(wanted: WantedRegistration): Promise<RegistryOutcome<RegisteredDomain>>;
  renew(wanted: WantedRenewal): Promise<RegistryOutcome<{ readonly expireAt: Instant }>>;
  /** Asks for a domain of another registrar; done once the request stands, which `transfer` then follows. */
  requestTransfer(wanted: WantedTransfer): Promise<RegistryOutcome<RegistryTransfer>>;
  /** Takes a request of ours back; done when none is pending. */
  cancelTransfer(domain: DomainRef): Promise<RegistryOutcome<null>>;
  /** Answers somebody's request for a domain of ours; done when none is pending. */
  answerTransfer(domain: DomainRef, answer: 'approve' | 'reject'): Promise<RegistryOutcome<null>>;
  /** Brings a domain of ours to what is wanted of it. */
  update(wanted: WantedDomain): Promise<RegistryOutcome<RegisteredDomain>>;
  /** Deletes it: gone at once (null), or kept for its redemption. Done when it is not ours any more. */
  delete(domain: DomainRef): Promise<RegistryOutcome<RegisteredDomain | null>>;
  /** Takes a domain of ours out of its redemption; done when it is in none. */
  restore(domain: DomainRef & { readonly fee: AcceptedFee }): Promise<RegistryOutcome<RegisteredDomain>>;
  /** The oldest message that was not acknowledged; null: none. */
  nextMessage(registry: string): Promise<RegistryMessage | null>;
  /** Has a message removed; done also when it is gone. Only after what it says is committed (rule F4). */
  acknowledge(registry: string, messageId: string): Promise<void>;
}

/** One connection to a registry or a gateway to many: what a driver implements. */
export interface RegistryDriver {
  /**
   * Calls `answer` for each question as its answer comes in, under the name as it was asked, and resolves when
   * none is to come any more. A question without an answer, also when this rejects, stays open: a driver never
   * guesses. `signal` is the deadline; once it is aborted, nobody waits and the driver lets go soon.
   */
  check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** A connection that domains can be registered over; one without these commands answers availability only. */
export interface RegistrarDriver
  extends RegistryDriver,
    Omit<Registries, 'check' | 'transferObstacles' | 'nextMessage' | 'acknowledge'> {
  nextMessage(): Promise<RegistryMessage | null>;
  acknowledge(messageId: string): Promise<void>;
}
