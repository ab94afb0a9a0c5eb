import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

export const REFERRAL_COOKIE = 'hostkeep_referrer';
const COOKIE_SECONDS = 30 * 24 * 3600;

/** How a code is written does not matter; null: it is none. */
export function readReferralCode(text: string): string | null {
  const code = text.trim().toLowerCase();
  return /^[a-z0-9]{8}$/.test(code) ? code : null;
}

/** Set-Cookie: remembers who sent a visitor until that visitor opens an account. Comes along from other sites (Lax). */
export function referralCookie(code: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${REFERRAL_COOKIE}=${code}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

const findReferrer = statement<{ id: string }>(
  'find_referrer',
  `SELECT a.id FROM affiliates f JOIN accounts a ON a.id = f.account_id
   WHERE f.code = $1 AND a.state = 'active' AND a.id IS DISTINCT FROM $2
     AND NOT EXISTS (SELECT FROM users u WHERE u.account_id = a.id
       AND regexp_replace(u.email, '\\+[^@]*@', '@') = regexp_replace($3, '\\+[^@]*@', '@'))`,
);

/** Somebody who opens an account. */
export interface Newcomer {
  readonly email: string;
  /** The account that they are logged in to while they open another. */
  readonly accountId: string | null;
}

/**
 * The account of the affiliate who brought a newcomer; null when the code is nobody's. Nobody brings themselves: neither
 * who is logged in to the affiliate's account, nor a mailbox (whatever comes after its +) of somebody who belongs to it.
 */
export async function referrerOf(db: Executor, code: string, newcomer: Newcomer): Promise<string | null> {
  const read = readReferralCode(code);
  if (read === null) return null;
  const [found] = await db.run(findReferrer, [read, newcomer.accountId, newcomer.email]);
  return found?.id ?? null;
}

const setReferrer = statement<object>(
  'set_referrer',
  'UPDATE accounts SET referred_by = $2 WHERE id = $1 AND referred_by IS NULL',
);

/** Remembers for good who brought a customer. */
export async function rememberReferrer(tx: Transaction, accountId: string, referrer: string): Promise<void> {
  await tx.run(setReferrer, [accountId, referrer]);
}
