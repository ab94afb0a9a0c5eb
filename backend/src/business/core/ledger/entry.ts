import { sha256 } from '../../../base/canonical.ts';
import type { Amount } from '../../../base/money.ts';
import { type Instant, later } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import {
  emit,
  type LockedAccount,
  touchAccount,
  type UnitOfWork,
} from '../../../unit-of-work/unit-of-work.ts';

export const ENTRY_KINDS = [
  'topup',
  'order',
  'renewal',
  'refund',
  'voucher',
  'affiliate',
  'adjustment',
  'chargeback',
  'fee',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** One side of an entry. `revenue:<product>`, `tax:<rate>`, `adjustment`, `cash:<method>` … */
export interface Counterpart {
  readonly ledgerAccount: string;
  readonly amount: Amount;
}

export interface EntryDraft {
  readonly id: string;
  readonly kind: EntryKind;
  /** What it does to the customer's balance: negative for a charge. */
  readonly amount: Amount;
  /** The tax within a charge, positive. */
  readonly tax: Amount;
  readonly description: string;
  readonly orderId: string | null;
  readonly resource: { readonly type: string; readonly id: string } | null;
  /** The other sides; with the customer's they sum to zero. */
  readonly counterparts: readonly Counterpart[];
}

/**
 * Posts an entry to a locked account: the next link of the customer's hash chain, its postings and the new
 * balance. The database refuses postings that do not sum to zero and balances below the floor.
 */
export function post(uow: UnitOfWork, account: LockedAccount, draft: EntryDraft): void {
  const createdAt = account.ledgerAt === null ? uow.now : later(uow.now, account.ledgerAt);
  const seq = account.ledgerSeq + 1n;
  const balanceAfter = account.balance + draft.amount;
  const postings = [
    { ledgerAccount: `customer:${account.id}`, amount: draft.amount },
    ...draft.counterparts,
  ].filter((posting) => posting.amount !== 0n);
  const entry = {
    account_id: account.id,
    seq,
    id: draft.id,
    kind: draft.kind,
    currency: account.currency,
    amount: draft.amount,
    tax: draft.tax,
    balance_after: balanceAfter,
    description: draft.description,
    order_id: draft.orderId,
    resource_type: draft.resource?.type ?? null,
    resource_id: draft.resource?.id ?? null,
    created_at: createdAt,
    prev_hash: account.ledgerHash,
  };
  const hash = entryHash(entry, postings);
  uow.changes.add(entryInsert, { ...entry, hash });
  for (const [position, posting] of postings.entries()) {
    uow.changes.add(postingInsert, {
      entry_id: draft.id,
      position,
      ledger_account: posting.ledgerAccount,
      currency: account.currency,
      amount: posting.amount,
    });
  }
  account.ledgerSeq = seq;
  account.ledgerHash = hash;
  account.ledgerAt = createdAt;
  const balanceBefore = account.balance;
  account.balance = balanceAfter;
  touchAccount(uow, account);
  follow(uow, account, balanceBefore);
  emit(uow, account, {
    type: 'account.transaction_booked',
    resource: draft.resource,
    body: {
      transaction_uuid: draft.id,
      type: draft.kind,
      amount_minor: Number(draft.amount),
      currency: account.currency,
      order_id: draft.orderId,
    },
  });
}

/** What a change of balance sets off: renewals that waited for money, or a warning when it runs low. */
function follow(uow: UnitOfWork, account: LockedAccount, before: Amount): void {
  const low = account.lowBalanceThreshold;
  const name =
    account.balance > before
      ? 'service.retry'
      : low !== null && before >= low && account.balance < low
        ? 'account.balance-low'
        : null;
  if (name !== null) enqueueOnce(uow, account, name);
}

/** Has renewals tried again that waited for money. */
export function retryRenewals(uow: UnitOfWork, account: LockedAccount): void {
  enqueueOnce(uow, account, 'service.retry');
}

function enqueueOnce(uow: UnitOfWork, account: LockedAccount, name: string): void {
  const key = `${name}:${account.id}`;
  if (uow.jobs.some((job) => job.key === key)) return;
  uow.jobs.push({ name, payload: { account_id: account.id }, key });
}

/** What an entry's hash covers, as the entry and its postings are stored. */
export type HashedEntry = Omit<EntryRow, 'hash'>;

/** The link of the chain: the hash that the next entry carries. */
export function entryHash(entry: HashedEntry, postings: readonly Counterpart[]): Buffer {
  return sha256(entryText(entry, postings));
}

/**
 * What is hashed: the JSON array of everything the entry says, its postings, and the hash before it. Documented
 * for verifiers in docs/reference/ledger.md; a change of it is a new chain.
 */
export function entryText(entry: HashedEntry, postings: readonly Counterpart[]): string {
  return JSON.stringify([
    'hostkeep-ledger-1',
    entry.prev_hash.toString('hex'),
    entry.account_id,
    entry.seq.toString(),
    entry.id,
    entry.kind,
    entry.currency,
    entry.amount.toString(),
    entry.tax.toString(),
    entry.balance_after.toString(),
    entry.description,
    entry.order_id,
    entry.resource_type,
    entry.resource_id,
    entry.created_at.epochMilliseconds,
    postings.map((posting) => [posting.ledgerAccount, posting.amount.toString()]),
  ]);
}

interface EntryRow {
  account_id: string;
  seq: bigint;
  id: string;
  kind: string;
  currency: string;
  amount: bigint;
  tax: bigint;
  balance_after: bigint;
  description: string;
  order_id: string | null;
  resource_type: string | null;
  resource_id: string | null;
  created_at: Instant;
  prev_hash: Buffer;
  hash: Buffer;
}

const entryInsert = bulkInsert<EntryRow>('ledger_entries', {
  account_id: 'uuid',
  seq: 'bigint',
  id: 'uuid',
  kind: 'text',
  currency: 'text',
  amount: 'bigint',
  tax: 'bigint',
  balance_after: 'bigint',
  description: 'text',
  order_id: 'uuid',
  resource_type: 'text',
  resource_id: 'uuid',
  created_at: 'timestamptz',
  prev_hash: 'bytea',
  hash: 'bytea',
});

const postingInsert = bulkInsert<{
  entry_id: string;
  position: number;
  ledger_account: string;
  currency: string;
  amount: bigint;
}>('ledger_postings', {
  entry_id: 'uuid',
  position: 'smallint',
  ledger_account: 'text',
  currency: 'text',
  amount: 'bigint',
});
