import type { Instant } from '../../../base/time.ts';
import type { ClientStatus, DelegationSigner } from '../port.ts';
import type { ContactOf, EppTransferStatus, PolledMessage } from './commands.ts';

export type RefundableGrace = 'addPeriod' | 'autoRenewPeriod' | 'renewPeriod' | 'transferPeriod';

/** A charge that is paid back, and its years with it, if the domain is deleted before `until`. */
export interface Grace {
  readonly period: RefundableGrace;
  readonly until: Instant;
  readonly registrar: string;
  readonly amount: bigint;
  readonly years: number;
}

/** What the registry's books say of a domain. What the clock adds to it is in life.ts. */
export interface Registration {
  readonly id: bigint;
  readonly name: string;
  readonly sponsor: string;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly updatedBy: string | null;
  readonly updatedAt: Instant | null;
  readonly transferredAt: Instant | null;
  readonly expireAt: Instant | null;
  readonly registrant: string | null;
  readonly contacts: readonly ContactOf[];
  readonly hosts: readonly string[];
  readonly ds: readonly DelegationSigner[];
  readonly clientStatuses: readonly ClientStatus[];
  readonly serverStatuses: readonly string[];
  readonly authcode: string | null;
  /** RFC 9154 §4.3: a code is not for ever. */
  readonly authcodeExpireAt: Instant | null;
  readonly transferLockedUntil: Instant | null;
  readonly graces: readonly Grace[];
  /** In redemption, or after it, since then. */
  readonly deletedAt: Instant | null;
  readonly restoreRequestedAt: Instant | null;
}

export interface Transfer {
  /** null: not in the books yet. */
  readonly id: bigint | null;
  readonly status: EppTransferStatus;
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  readonly actedBy: string;
  readonly actAt: Instant;
  readonly years: number;
  readonly amount: bigint;
}

export interface Charge {
  readonly registrar: string;
  readonly domain: string;
  readonly kind: 'create' | 'renew' | 'autorenew' | 'transfer' | 'restore' | 'refund';
  readonly amount: bigint;
  readonly years: number;
  readonly at: Instant;
}

export interface Message {
  readonly registrar: string;
  readonly at: Instant;
  readonly text: string;
  readonly about: PolledMessage['about'];
}

/** A domain with its last transfer, and what a command or the clock adds to the books. */
export interface Holding {
  /** null: it is gone. */
  readonly domain: Registration | null;
  readonly transfer: Transfer | null;
  readonly charges: readonly Charge[];
  readonly messages: readonly Message[];
}
