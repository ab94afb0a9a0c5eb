import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** An account as it was at one moment; decisions about money take a locked one (unit of work.ts). */
export interface Account {
  readonly id: string;
  readonly number: bigint;
  readonly state: 'active' | 'suspended' | 'closed';
  readonly currency: string;
  readonly balance: Amount;
  /** Held for orders that are being delivered. */
  readonly reserved: Amount;
  readonly credit_limit: Amount;
  /** Where the customer is taxed; empty while no address was given. */
  readonly tax_country: string;
  readonly tax_business: boolean;
  /** Below which the customer wants to be told; null: never. */
  readonly low_balance_threshold: Amount | null;
  readonly ledger_seq: bigint;
  readonly ledger_at: Instant | null;
  readonly created_at: Instant;
}

const loadAccount = statement<Account>(
  'load_account',
  `SELECT id, number, state, currency, balance, reserved, credit_limit, tax_country, tax_business, low_balance_threshold,
     ledger_seq, ledger_at, created_at
   FROM accounts WHERE id = $1`,
);

/** null: there is none. */
export async function findAccount(db: Executor, id: string): Promise<Account | null> {
  return (await db.run(loadAccount, [id]))[0] ?? null;
}

/** Throws when there is none: accounts are never deleted, and the caller has just been seen. */
export async function accountOf(db: Executor, id: string): Promise<Account> {
  const account = await findAccount(db, id);
  if (account === null) throw new Error(`account ${id} does not exist`);
  return account;
}

/** What it can spend. */
export function available(account: Pick<Account, 'balance' | 'reserved' | 'credit_limit'>): Amount {
  return account.balance - account.reserved + account.credit_limit;
}
