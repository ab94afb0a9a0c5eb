import type { Instant } from './base/time.ts';
import { verifyPassword } from './business/accounts/password.ts';
import { endTokensBeyond } from './business/accounts/token.ts';
import { dropLinks } from './business/people/mailed-link.ts';
import { voucherHash } from './business/vouchers/code.ts';
import type { Config } from './config.ts';
import type { Executor, Pool } from './db/pool.ts';
import { statement } from './db/statement.ts';
import { transaction } from './db/transaction.ts';
import { DEMO } from './demo-public.ts';

const ADDRESSES = [DEMO.customer, DEMO.operator];

const loadPeople = statement<{ id: string; email: string; password_hash: string | null }>(
  'load_demo_people',
  `SELECT id, email, password_hash FROM users WHERE email = ANY($1::text[]) AND state = 'active' ORDER BY email`,
);
const disable = statement<object>('disable_demo_person', `UPDATE users SET state = 'disabled' WHERE id = $1`);
const revokeVouchers = statement<object>(
  'revoke_demo_vouchers',
  `UPDATE vouchers SET revoked_at = $2
   WHERE code_hash = ANY($1::bytea[]) AND redeemed_at IS NULL AND revoked_at IS NULL`,
);
const openVouchers = statement<{ count: number }>(
  'open_demo_vouchers',
  `SELECT count(*)::int AS count FROM vouchers
   WHERE code_hash = ANY($1::bytea[]) AND redeemed_at IS NULL AND revoked_at IS NULL`,
);
const endCodes = statement<object>(
  'end_demo_codes',
  `UPDATE discount_codes SET valid_until = $2
   WHERE code = ANY($1::text[]) AND (valid_until IS NULL OR valid_until > $2)`,
);

/** Whether real customers are expected: then nobody logs in with a password that is public. */
export function isForReal({ publicUrl, stripeKey, smtp }: Config): boolean {
  return publicUrl?.startsWith('https:') === true || stripeKey !== undefined || smtp !== undefined;
}

/** Those of the demo's people whose public password still lets anybody in. */
export async function openDemoLogins(db: Executor): Promise<readonly string[]> {
  const open: string[] = [];
  for (const { email, password_hash } of await db.run(loadPeople, [ADDRESSES])) {
    if (password_hash !== null && (await verifyPassword(password_hash, DEMO.password))) open.push(email);
  }
  return open;
}

/** How many of the demo's vouchers, whose codes are public, are still worth something. */
export async function openDemoVouchers(db: Executor): Promise<number> {
  const [row] = await db.run(openVouchers, [DEMO.vouchers.map(({ code }) => voucherHash(code))]);
  return row?.count ?? 0;
}

/** Shuts the demo's people out with their tokens, and ends what its public codes are worth. */
export async function closeDemo(pool: Pool, now: Instant): Promise<void> {
  await transaction(pool, async (tx) => {
    for (const { id } of await tx.run(loadPeople, [ADDRESSES])) {
      await tx.run(disable, [id]);
      await endTokensBeyond(tx, id, [], now);
      await dropLinks(tx, id, ['email_verification', 'password_reset', 'invitation']);
    }
    await tx.run(revokeVouchers, [DEMO.vouchers.map(({ code }) => voucherHash(code)), now]);
    await tx.run(endCodes, [DEMO.discountCodes, now]);
  });
}
