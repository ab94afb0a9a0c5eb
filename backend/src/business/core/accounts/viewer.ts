import type { Executor } from '../../../db/pool.ts';
import type { Caller } from '../../../operation.ts';
import { type Account, accountOf } from './account.ts';

/** Who looks at prices: null for anybody without a token, and for operators. */
export async function viewerOf(db: Executor, caller: Caller | null): Promise<Account | null> {
  return caller?.accountId == null ? null : await accountOf(db, caller.accountId);
}
