import { randomUUID } from 'node:crypto';
import type { Amount } from '../base/money.ts';
import { type Instant, wireTime } from '../base/time.ts';
import { bulkInsert, bulkUpdate, Changes } from '../db/changes.ts';
import type { Pool } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { isTransient, type Transaction, transaction } from '../db/transaction.ts';
import { enqueue, type QueuedJob } from '../work/queue.ts';
import type { EventOf, EventType } from './event.ts';

/** An account whose row this transaction has locked: the truth, not a copy, until the transaction ends. */
export interface LockedAccount {
  readonly id: string;
  readonly state: 'active' | 'suspended' | 'closed';
  readonly currency: string;
  readonly creditLimit: Amount;
  /** ISO 3166-1; empty while no address was given. */
  readonly taxCountry: string;
  /** Whether a VAT number was confirmed. */
  readonly taxBusiness: boolean;
  /** Of the address by which the customer is taxed; 0 while none was given. */
  readonly addressVersion: number;
  /** Below which the customer wants to be told; null: never. */
  readonly lowBalanceThreshold: Amount | null;
  balance: Amount;
  reserved: Amount;
  floor: Amount;
  ledgerSeq: bigint;
  ledgerHash: Buffer;
  ledgerAt: Instant | null;
  eventSeq: bigint;
}

/** A token as it is inside the transaction: revoked meanwhile, or its budget spent, is seen here. */
export interface TokenState {
  readonly id: string;
  readonly live: boolean;
  /** What it may still spend today; null without a limit. */
  remaining: Amount | null;
  spent: Amount;
  /** The day that `spent` is of: today, or a later one that another process's clock has seen. */
  readonly day: string;
}

/** What one transaction holds: locked accounts, token states, and the changes that it will write. */
export interface UnitOfWork {
  readonly now: Instant;
  readonly accounts: Map<string, LockedAccount>;
  readonly tokens: ReadonlyMap<string, TokenState>;
  readonly changes: Changes;
  /** Jobs to enqueue when the changes are written. */
  readonly jobs: QueuedJob[];
}

interface AccountRow {
  id: string;
  state: LockedAccount['state'];
  currency: string;
  balance: bigint;
  reserved: bigint;
  credit_limit: bigint;
  tax_country: string;
  tax_business: boolean;
  address_version: number;
  low_balance_threshold: bigint | null;
  floor: bigint;
  ledger_seq: bigint;
  ledger_hash: Buffer;
  ledger_at: Instant | null;
  event_seq: bigint;
}

const COLUMNS = `id, state, currency, balance, reserved, credit_limit, tax_country, tax_business, address_version,
  low_balance_threshold, floor, ledger_seq, ledger_hash, ledger_at, event_seq`;

// Rule A2: the locking statement reads nothing but the rows it locks. Those come back as they are after the
// wait; whatever else were read here would be as old as the statement's start.
const lockWaiting = statement<AccountRow>(
  'lock_accounts',
  `SELECT ${COLUMNS} FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
);
const lockSkipping = statement<AccountRow>(
  'lock_accounts_skip',
  `SELECT ${COLUMNS} FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
);

/**
 * Locks accounts in the order of their ids. With `skipLocked`, accounts that another transaction holds are
 * left out; without, it waits up to the connection's lock_timeout (SQLSTATE 55P03).
 */
export async function lockAccounts(
  tx: Transaction,
  ids: readonly string[],
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<Map<string, LockedAccount>> {
  const rows = await tx.run(skipLocked ? lockSkipping : lockWaiting, [ids]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        state: row.state,
        currency: row.currency,
        creditLimit: row.credit_limit,
        taxCountry: row.tax_country,
        taxBusiness: row.tax_business,
        addressVersion: row.address_version,
        lowBalanceThreshold: row.low_balance_threshold,
        balance: row.balance,
        reserved: row.reserved,
        floor: row.floor,
        ledgerSeq: row.ledger_seq,
        ledgerHash: row.ledger_hash,
        ledgerAt: row.ledger_at,
        eventSeq: row.event_seq,
      },
    ]),
  );
}

/**
 * Locks an account beside those that the unit of work began with, for operators, who have none of their own. Before
 * any other row is locked (rule A4), and one a transaction: two could wait for each other. null: there is none.
 */
export async function lockInto(tx: Transaction, uow: UnitOfWork, id: string): Promise<LockedAccount | null> {
  const known = uow.accounts.get(id);
  if (known !== undefined) return known;
  const account = (await lockAccounts(tx, [id])).get(id) ?? null;
  if (account !== null) uow.accounts.set(id, account);
  return account;
}

interface TokenRow {
  id: string;
  revoked_at: Instant | null;
  expires_at: Instant | null;
  spending_limit: bigint | null;
  spent_on: string | null;
  spent: bigint;
  user_state: string;
}

const loadTokens = statement<TokenRow>(
  'load_tokens',
  `SELECT t.id, t.revoked_at, t.expires_at, t.spending_limit, t.spent_on, t.spent,
     CASE WHEN o.state <> 'active' THEN o.state ELSE u.state END AS user_state
   FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN users o ON o.id = t.impersonated_by WHERE t.id = ANY($1::uuid[])`,
);

export async function loadTokenStates(
  tx: Transaction,
  ids: readonly string[],
  now: Instant,
): Promise<Map<string, TokenState>> {
  const rows = await tx.run(loadTokens, [ids]);
  const today = now.toString().slice(0, 10);
  return new Map(
    rows.map((row) => {
      const day = row.spent_on !== null && row.spent_on > today ? row.spent_on : today;
      const spent = row.spent_on === day ? row.spent : 0n;
      return [
        row.id,
        {
          id: row.id,
          live:
            row.revoked_at === null &&
            row.user_state === 'active' &&
            (row.expires_at === null || Temporal.Instant.compare(row.expires_at, now) > 0),
          remaining: row.spending_limit === null ? null : row.spending_limit - spent,
          spent,
          day,
        },
      ];
    }),
  );
}

export function newUnitOfWork(
  now: Instant,
  accounts: Map<string, LockedAccount>,
  tokens: ReadonlyMap<string, TokenState> = new Map(),
): UnitOfWork {
  return { now, accounts, tokens, changes: new Changes(), jobs: [] };
}

/** The account, which the transaction must have locked. */
export function lockedAccount(uow: UnitOfWork, id: string): LockedAccount {
  const account = uow.accounts.get(id);
  if (account === undefined) throw new Error(`account ${id} is not locked by this transaction`);
  return account;
}

const accountUpdate = bulkUpdate<AccountUpdate>(
  'accounts',
  'state',
  {
    id: 'uuid',
    balance: 'bigint',
    reserved: 'bigint',
    floor: 'bigint',
    ledger_seq: 'bigint',
    ledger_hash: 'bytea',
    ledger_at: 'timestamptz',
    event_seq: 'bigint',
  },
  `balance = n.balance, reserved = n.reserved, floor = n.floor, ledger_seq = n.ledger_seq,
   ledger_hash = n.ledger_hash, ledger_at = n.ledger_at, event_seq = n.event_seq`,
);

interface AccountUpdate {
  id: string;
  balance: bigint;
  reserved: bigint;
  floor: bigint;
  ledger_seq: bigint;
  ledger_hash: Buffer;
  ledger_at: Instant | null;
  event_seq: bigint;
}

/** Marks an account's money and counters for writing, as they are now. */
export function touchAccount(uow: UnitOfWork, account: LockedAccount): void {
  uow.changes.add(accountUpdate, {
    id: account.id,
    balance: account.balance,
    reserved: account.reserved,
    floor: account.floor,
    ledger_seq: account.ledgerSeq,
    ledger_hash: account.ledgerHash,
    ledger_at: account.ledgerAt,
    event_seq: account.eventSeq,
  });
}

interface TokenSpent {
  id: string;
  spent_on: string;
  spent: bigint;
}

const tokenSpent = bulkUpdate<TokenSpent>(
  'tokens',
  'spent',
  { id: 'uuid', spent_on: 'date', spent: 'bigint' },
  'spent_on = n.spent_on, spent = n.spent',
);

/** Counts a charge against the token's budget of the day; null when the budget covers it, else what remains. */
export function spend(uow: UnitOfWork, tokenId: string | null, amount: Amount): { remaining: Amount } | null {
  const token = tokenId === null ? undefined : uow.tokens.get(tokenId);
  if (token === undefined || token.remaining === null) return null;
  if (amount > token.remaining) return { remaining: token.remaining };
  token.remaining -= amount;
  token.spent += amount;
  uow.changes.add(tokenSpent, {
    id: token.id,
    spent_on: token.day,
    spent: token.spent,
  });
  return null;
}

interface EventRow {
  account_id: string;
  sequence: bigint;
  id: string;
  type: string;
  resource_type: string | null;
  resource_id: string | null;
  body: string;
  created_at: Instant;
}

const eventInsert = bulkInsert<EventRow>('events', {
  account_id: 'uuid',
  sequence: 'bigint',
  id: 'uuid',
  type: 'text',
  resource_type: 'text',
  resource_id: 'uuid',
  body: 'jsonb',
  created_at: 'timestamptz',
});

export type EventDraft = EventOf<EventType> & {
  readonly resource: { readonly type: string; readonly id: string } | null;
};

/** Records what happened to an account; its sequence has no gaps. Answers the event's id. */
export function emit(uow: UnitOfWork, account: LockedAccount, event: EventDraft): string {
  const id = randomUUID();
  account.eventSeq += 1n;
  uow.changes.add(eventInsert, {
    account_id: account.id,
    sequence: account.eventSeq,
    id,
    type: event.type,
    resource_type: event.resource?.type ?? null,
    resource_id: event.resource?.id ?? null,
    body: JSON.stringify(written(event.body)),
    created_at: uow.now,
  });
  touchAccount(uow, account);
  return id;
}

/** A body as it is kept and sent: moments as on the wire. */
function written(body: object): object {
  const members = Object.entries(body).map(([name, value]) => [
    name,
    value instanceof Temporal.Instant ? wireTime(value) : value,
  ]);
  return Object.fromEntries(members);
}

/**
 * Runs `work` in a transaction that has these accounts locked, and writes what it adds to the unit of work: changes,
 * money, events, jobs. Once more when the database asks for it, so `work` must not do anything else.
 */
export async function inUnitOfWork<T>(
  pool: Pool,
  now: Instant,
  accountIds: readonly string[],
  work: (tx: Transaction, uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  const once = () =>
    transaction(pool, async (tx) => {
      const uow = newUnitOfWork(now, await lockAccounts(tx, accountIds));
      const result = await work(tx, uow);
      await Promise.all([uow.changes.send(tx), enqueue(tx, uow.jobs)]);
      return result;
    });
  return await once().catch((error) => {
    if (!isTransient(error)) throw error;
    return once();
  });
}
