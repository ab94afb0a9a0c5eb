import { readFileSync } from 'node:fs';
import { hashPassword } from './business/core/access/password.ts';
import { issueToken, newTokenSecret } from './business/core/access/token.ts';
import { adjustBalance } from './business/core/accounts/adjust.ts';
import { createCustomer, createStaff, findCustomer } from './business/core/accounts/customer.ts';
import { isEmpty } from './business/core/catalog/first-start.ts';
import { importCatalog } from './business/core/catalog/import.ts';
import { parseCatalog } from './business/core/catalog/parse.ts';
import { syncInventories } from './business/products.ts';
import { keepVouchers } from './business/selling/vouchers/create.ts';
import { type Transaction, transaction } from './db/transaction.ts';
import { isForReal } from './demo-close.ts';
import { DEMO } from './demo-public.ts';
import type { Installation } from './installation.ts';

const TOKEN_PURPOSE = 'demo-token';
const OPENING_BALANCE = 1_000_00n;

export interface Demo {
  lines(address: string): readonly string[];
}

/**
 * Fills a database that nothing was ever sold in: the demo catalogue, a customer with money, an operator,
 * discount codes and vouchers. Later starts find it filled and say the same log-in and token again. null where real
 * customers are expected, and where there is no demo.
 */
export async function fillDemo(installation: Installation): Promise<Demo | null> {
  const { config, writePool, sealer } = installation;
  if (isForReal(config)) return null;
  if (await isEmpty(writePool)) await fill(installation);
  if ((await findCustomer(writePool, DEMO.customer)) === null) return null;
  const settings = await writePool.kysely
    .selectFrom('settings')
    .select('value')
    .where('name', '=', TOKEN_PURPOSE)
    .executeTakeFirst();
  if (typeof settings?.value !== 'string') return null;
  const token = sealer.openText(TOKEN_PURPOSE, Buffer.from(settings.value, 'base64'));
  return { lines: (address) => introduction(address, token) };
}

async function fill({ writePool, sealer, clock }: Installation): Promise<void> {
  const reading = parseCatalog(
    readFileSync(new URL('./business/core/catalog/demo.yaml', import.meta.url), 'utf8'),
  );
  if (!reading.ok) throw new Error(`the demo catalogue is wrong: ${JSON.stringify(reading.problems[0])}`);
  const { catalog } = reading;
  const passwordHash = await hashPassword(DEMO.password);
  const now = clock.now();
  await transaction(writePool, async (tx) => {
    await importCatalog(tx, catalog, 'demo', now, syncInventories);
    const person = { passwordHash, locale: 'en' as const, timezone: 'Europe/Berlin' };
    const customer = await createCustomer(
      tx,
      { ...person, email: DEMO.customer, firstName: 'Dana', lastName: 'Demo', currency: catalog.currency },
      now,
    );
    await createStaff(
      tx,
      { ...person, email: DEMO.operator, firstName: 'Olga', lastName: 'Operator', staffRole: 'admin' },
      now,
    );
    if (customer.kind !== 'created') return;
    await adjustBalance(
      tx,
      customer.accountId,
      { amount: OPENING_BALANCE, reason: 'Welcome to the demo' },
      now,
    );
    const secret = newTokenSecret();
    const draft = {
      accountId: customer.accountId,
      userId: customer.userId,
      kind: 'api' as const,
      name: 'demo',
    };
    await issueToken(tx, { ...draft, scopes: ['*'], expiresAt: null }, secret, now);
    await rememberToken(tx, sealer.seal(TOKEN_PURPOSE, secret), now);
    await codesAndVouchers(tx, catalog.currency, now);
  });
}

async function rememberToken(tx: Transaction, sealed: Buffer, now: Temporal.Instant): Promise<void> {
  await tx.kysely
    .insertInto('settings')
    .values({ name: TOKEN_PURPOSE, value: JSON.stringify(sealed.toString('base64')), updated_at: now })
    .execute();
}

async function codesAndVouchers(tx: Transaction, currency: string, now: Temporal.Instant): Promise<void> {
  const [welcome, panel, first] = DEMO.discountCodes;
  const code = {
    valid_from: now,
    valid_until: null,
    created_at: now,
    max_uses: null,
    max_uses_per_account: null,
  };
  await tx.kysely
    .insertInto('discount_codes')
    .values([
      { ...code, code: welcome, percent: 1_000, products: null, max_uses_per_account: 1 },
      { ...code, code: panel, percent: 2_500, products: ['license'] },
      { ...code, code: first, percent: 5_000, products: ['server', 'webspace'], max_uses: 100 },
    ])
    .execute();
  for (const { code, amount } of DEMO.vouchers) {
    const worth = { kind: 'credit' as const, amount, currency };
    const draft = { worth, description: 'Demo voucher', expiresAt: null, createdBy: null };
    await keepVouchers(tx, draft, [code], now);
  }
}

function introduction(address: string, token: string): string[] {
  return [
    '',
    `  Reference   ${address}/docs`,
    `  Customer    ${DEMO.customer}   password: ${DEMO.password}`,
    `  Operator    ${DEMO.operator}   password: ${DEMO.password}`,
    `  Token       ${token}`,
    '',
    '  Try it:',
    `  curl -s ${address}/api/v2/domain/check -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"domain":"my-new-shop.com"}'`,
    '',
  ];
}
