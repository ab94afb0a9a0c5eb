import { BlockList, isIP } from 'node:net';
import type { Instant } from './base/time.ts';
import { verifyPassword } from './business/core/access/password.ts';
import { endTokensBeyond } from './business/core/access/token.ts';
import { CatalogStore, NoCatalog } from './business/core/catalog/versions.ts';
import { dropLinks } from './business/core/people/mailed-link.ts';
import { voucherHash } from './business/selling/vouchers/code.ts';
import type { Config } from './config.ts';
import type { Executor, Pool } from './db/pool.ts';
import { statement } from './db/statement.ts';
import { transaction } from './db/transaction.ts';
import { DEMO } from './demo-public.ts';
import type { Installation } from './installation.ts';
import { takesRealMoney } from './ports.ts';

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

/**
 * Whether real customers are expected, or strangers can come: then no password is public and no money is play money, unless
 * the operator says that it is a playground.
 */
export function isForReal(config: Config): boolean {
  const { listen, publicUrl, smtp, publicPlayground } = config;
  if (publicPlayground === 'yes') return false;
  const isAtHome = isLoopback(listen) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
  return !isAtHome || takesRealMoney(config) || smtp !== undefined;
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || (isIP(address) !== 0 && isLoopbackAddress(address));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
const isLoopbackAddress = (address: string) => LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** What would let strangers in, or give them money, if they could come: a sentence for each, with what to do. */
export async function openDoors({ config, readPool }: Pick<Installation, 'config' | 'readPool'>) {
  const doors: string[] = [];
  const logins = await openDemoLogins(readPool);
  if (logins.length > 0)
    doors.push(
      `anybody can log in as ${logins.join(' and ')}, since the demo's passwords are public: hostkeep demo close`,
    );
  if (!takesRealMoney(config) && (await sellsForPlayMoney(readPool)))
    doors.push('the sandbox payment gives money to anybody: set topup.sandbox to false in the catalogue');
  if (config.vatRegister === 'sandbox')
    doors.push('the sandbox VAT check confirms any number: set HOSTKEEP_VAT_REGISTER=vies');
  return doors;
}

async function sellsForPlayMoney(db: Pool): Promise<boolean> {
  try {
    return (await new CatalogStore(db).newest(db)).content.topup.sandbox;
  } catch (error) {
    if (error instanceof NoCatalog) return false;
    throw error;
  }
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
