import type { Amount } from '../../base/money.ts';
import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

/** An account as it was at one moment; decisions about money take a locked one (frame.ts). */
export interface Account {
  readonly id: string;
  readonly number: bigint;
  readonly state: 'active' | 'suspended' | 'closed';
  readonly currency: string;
  readonly balance: Amount;
  /** Held for orders that are being delivered. */
  readonly reserved: Amount;
  readonly credit_limit: Amount;
  readonly ledger_seq: bigint;
  readonly ledger_at: Instant | null;
  readonly created_at: Instant;
}

const loadAccount = statement<Account>(
  'load_account',
  `SELECT id, number, state, currency, balance, reserved, credit_limit, ledger_seq, ledger_at, created_at
   FROM accounts WHERE id = $1`,
);

/** Throws when there is none: accounts are never deleted, and the caller has just been seen. */
export async function accountOf(db: Executor, id: string): Promise<Account> {
  const [row] = await db.run(loadAccount, [id]);
  if (row === undefined) throw new Error(`account ${id} does not exist`);
  return row;
}

/** What it can spend. */
export function available(account: Pick<Account, 'balance' | 'reserved' | 'credit_limit'>): Amount {
  return account.balance - account.reserved + account.credit_limit;
}
