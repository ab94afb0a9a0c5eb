import type { Instant } from '../../../base/time.ts';
import type { ClientStatus, ContactRole, DelegationSigner } from '../port.ts';
import type { Reply } from './reply.ts';

/**
 * What one registrar may tell the sandbox registry to do: EPP's commands (RFC 5730 to 5733, with 3915, 5910 and 8748)
 * as values. Each is one transaction of the registry's own, at its clock's time; a failure has changed nothing, and
 * nothing here is idempotent, as at real registries. Names are punycode in lower case without the root's dot.
 */
export interface RegistrarCommands {
  readonly registrar: string;
  readonly domain: DomainCommands;
  readonly contact: ContactCommands;
  readonly host: HostCommands;
  readonly poll: PollCommands;
}

/** RFC 8748. What the whole command costs, in ten-thousandths of the currency. */
export interface Fee {
  readonly amount: bigint;
  readonly currency: string;
}

/** Per year, but restore: at once; transfer is null where the TLD knows no transfers. */
export interface FeeSchedule {
  /** RFC 8748 §3.7: `standard`, or a class of premium names. */
  readonly class: string;
  readonly currency: string;
  readonly create: bigint;
  readonly renew: bigint;
  readonly transfer: bigint | null;
  readonly restore: bigint;
}

export interface CheckedDomain {
  readonly name: string;
  readonly available: boolean;
  /** null exactly where the name is available. */
  readonly reason: 'taken' | 'reserved' | 'invalid' | null;
  /** null where the name is none that can be registered here. */
  readonly fees: FeeSchedule | null;
}

export interface ContactOf {
  readonly role: ContactRole;
  readonly handle: string;
}

/** RFC 3915 §3.1. */
export type GraceStatus =
  | 'addPeriod'
  | 'autoRenewPeriod'
  | 'renewPeriod'
  | 'transferPeriod'
  | 'redemptionPeriod'
  | 'pendingRestore'
  | 'pendingDelete';

/** RFC 5731 §3.1.2; of others' domains without their authcode, contacts and authcode are left out. */
export interface DomainInfo {
  readonly name: string;
  readonly roid: string;
  /** RFC 5731 §2.3; never empty. */
  readonly statuses: readonly string[];
  /** RFC 3915. */
  readonly grace: readonly GraceStatus[];
  readonly registrant: string | null;
  readonly contacts: readonly ContactOf[];
  /** Those that it is delegated to. */
  readonly hosts: readonly string[];
  /** Host objects below it. */
  readonly subordinateHosts: readonly string[];
  readonly ds: readonly DelegationSigner[];
  readonly sponsor: string;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly updatedBy: string | null;
  readonly updatedAt: Instant | null;
  readonly transferredAt: Instant | null;
  /** null under TLDs whose registrations have no end. */
  readonly expireAt: Instant | null;
  readonly authcode: string | null;
}

export interface NewDomain {
  readonly name: string;
  /** null: the shortest that the TLD has. */
  readonly years: number | null;
  readonly registrant: string | null;
  readonly contacts: readonly ContactOf[];
  readonly hosts: readonly string[];
  readonly ds: readonly DelegationSigner[];
  readonly authcode: string;
  readonly fee: Fee | null;
}

export interface CreatedDomain {
  readonly name: string;
  readonly createdAt: Instant;
  readonly expireAt: Instant | null;
  readonly fee: Fee;
}

export interface DomainRenewal {
  readonly name: string;
  /** RFC 5731 §3.2.3: the day (UTC) that the registration is believed to end on, `YYYY-MM-DD`. */
  readonly currentExpiry: string;
  readonly years: number;
  readonly fee: Fee | null;
}

export interface TransferRequest {
  readonly name: string;
  readonly authcode: string;
  /** null: what the TLD brings with a transfer. */
  readonly years: number | null;
  readonly fee: Fee | null;
}

/** RFC 5730 §2.9.3.4. */
export type EppTransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientRejected'
  | 'clientCancelled'
  | 'serverApproved'
  | 'serverCancelled';

export interface TransferInfo {
  readonly name: string;
  readonly status: EppTransferStatus;
  /** reID, reDate. */
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  /** acID, acDate: who must act, or acted, and by when, or when. */
  readonly actedBy: string;
  readonly actAt: Instant;
  /** The end of the registration once the transfer is through; null under TLDs without one. */
  readonly expireAt: Instant | null;
}

export interface DomainChange {
  readonly name: string;
  readonly addHosts?: readonly string[];
  readonly removeHosts?: readonly string[];
  readonly addContacts?: readonly ContactOf[];
  readonly removeContacts?: readonly ContactOf[];
  readonly addStatuses?: readonly ClientStatus[];
  readonly removeStatuses?: readonly ClientStatus[];
  readonly registrant?: string;
  /** null clears it (RFC 9154). */
  readonly authcode?: string | null;
  /** RFC 5910 §5.2.5; `removeAllDs` goes before `addDs`. */
  readonly removeAllDs?: boolean;
  readonly removeDs?: readonly DelegationSigner[];
  readonly addDs?: readonly DelegationSigner[];
}

/** RFC 3915 §4.2.5: what the sponsor states about why a domain is to be restored. */
export interface RestoreReport {
  readonly name: string;
  readonly deletedAt: Instant;
  readonly restoredAt: Instant;
  readonly reason: string;
  readonly statements: readonly string[];
}

export interface DomainCommands {
  check(names: readonly string[]): Promise<Reply<readonly CheckedDomain[]>>;
  /** 2303: not registered; 2202: the authcode that was given is wrong. */
  info(name: string, authcode?: string): Promise<Reply<DomainInfo>>;
  create(domain: NewDomain): Promise<Reply<CreatedDomain>>;
  renew(renewal: DomainRenewal): Promise<Reply<{ name: string; expireAt: Instant; fee: Fee }>>;
  /** The last one; 2301: there never was any. For both registrars, and for whoever has the authcode. */
  queryTransfer(name: string, authcode?: string): Promise<Reply<TransferInfo>>;
  /** 1001: pending; 1000: through at once, where the TLD gives the losing side no time. */
  requestTransfer(request: TransferRequest): Promise<Reply<TransferInfo>>;
  approveTransfer(name: string): Promise<Reply<TransferInfo>>;
  rejectTransfer(name: string): Promise<Reply<TransferInfo>>;
  cancelTransfer(name: string): Promise<Reply<TransferInfo>>;
  update(change: DomainChange): Promise<Reply<null>>;
  /** 1000: gone; 1001: kept for its redemption. */
  delete(name: string): Promise<Reply<null>>;
  /** RFC 3915 §4.2.5: the domain is pendingRestore until it is reported why, or seven days have passed. */
  requestRestore(name: string, fee: Fee | null): Promise<Reply<{ fee: Fee }>>;
  reportRestore(report: RestoreReport): Promise<Reply<null>>;
}

/** RFC 5733, with one postal address; `extra` is what some TLDs ask for besides, where it can be told. */
export interface ContactCard {
  readonly name: string;
  readonly organisation: string | null;
  readonly street: readonly string[];
  readonly city: string;
  readonly region: string | null;
  readonly zip: string | null;
  readonly country: string;
  readonly phone: string | null;
  readonly fax: string | null;
  readonly email: string;
  readonly disclosed: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface ContactInfo extends ContactCard {
  readonly handle: string;
  readonly roid: string;
  readonly statuses: readonly string[];
  readonly sponsor: string;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly updatedBy: string | null;
  readonly updatedAt: Instant | null;
}

export interface ContactCommands {
  check(handles: readonly string[]): Promise<Reply<readonly { handle: string; available: boolean }[]>>;
  info(handle: string): Promise<Reply<ContactInfo>>;
  create(handle: string, card: ContactCard): Promise<Reply<{ handle: string; createdAt: Instant }>>;
  update(handle: string, change: Partial<ContactCard>): Promise<Reply<null>>;
  delete(handle: string): Promise<Reply<null>>;
}

export interface HostInfo {
  readonly name: string;
  readonly roid: string;
  readonly statuses: readonly string[];
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  readonly sponsor: string;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly updatedBy: string | null;
  readonly updatedAt: Instant | null;
}

/** Addresses are glue: given exactly for names below TLDs of this registry. */
export interface HostAddresses {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

export interface HostChange {
  readonly name: string;
  readonly add?: HostAddresses;
  readonly remove?: HostAddresses;
  readonly newName?: string;
}

export interface HostCommands {
  check(names: readonly string[]): Promise<Reply<readonly { name: string; available: boolean }[]>>;
  info(name: string): Promise<Reply<HostInfo>>;
  create(name: string, addresses: HostAddresses): Promise<Reply<{ name: string; createdAt: Instant }>>;
  update(change: HostChange): Promise<Reply<null>>;
  delete(name: string): Promise<Reply<null>>;
}

export interface PolledMessage {
  readonly id: string;
  readonly at: Instant;
  readonly text: string;
  readonly about:
    | { readonly kind: 'transfer'; readonly transfer: TransferInfo }
    | {
        readonly kind: 'domain';
        readonly name: string;
        readonly change: 'renewed' | 'deleted' | 'updated';
        readonly expireAt: Instant | null;
      };
}

export interface PollCommands {
  /** 1301 with the oldest message and how many there are; 1300: there is none. */
  request(): Promise<Reply<{ count: number; message: PolledMessage | null }>>;
  /** How many are left, and the next one's id; 2303: there is no such message. */
  acknowledge(id: string): Promise<Reply<{ count: number; nextId: string | null }>>;
}
