import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { after } from 'node:test';
import { SetClock } from '../src/base/clock.ts';
import { Sealer } from '../src/base/seal.ts';
import { generateSigningKey, signerOf } from '../src/base/sign.ts';
import { issueToken, newTokenSecret } from '../src/business/core/access/token.ts';
import { adjustBalance } from '../src/business/core/accounts/adjust.ts';
import { createCustomer } from '../src/business/core/accounts/customer.ts';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import { catalogFromDocument } from '../src/business/core/catalog/schema/schema.ts';
import { CatalogStore } from '../src/business/core/catalog/versions.ts';
import { syncInventories } from '../src/business/products.ts';
import { APPLICATION_ROLE } from '../src/db/migrate.ts';
import { Pool } from '../src/db/pool.ts';
import { transaction } from '../src/db/transaction.ts';
import { Refusal } from '../src/errors.ts';
import type { Caller, Context, Operation } from '../src/operation.ts';
import { checkInput } from '../src/wire/input.ts';
import type { WriteItem } from '../src/wire/write.ts';
import { createTestDatabase } from './database.ts';
import { host, smallDocument } from './small-catalog.ts';

export interface Customer {
  readonly accountId: string;
  readonly userId: string;
  readonly tokenId: string;
  readonly secret: string;
}

/**
 * A database with a small catalogue, and what it takes to run operations on it without HTTP. Closed when the
 * test file ends.
 */
export async function openFixture(
  options: { url?: (url: string) => Promise<string>; lockTimeoutMs?: number } = {},
) {
  // Longer than any pause of a busy machine: nothing is refused because the machine is slow.
  const { lockTimeoutMs = 60_000 } = options;
  const database = await createTestDatabase();
  const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
  const url = (await options.url?.(database.url)) ?? database.url;
  const pool = new Pool({ url, size: 6, name: 'test', role: APPLICATION_ROLE, lockTimeoutMs });
  const sealer = new Sealer('test', new Map([['test', randomBytes(32)]]));
  const signer = signerOf('test', generateSigningKey().privateKeyPkcs8);
  const catalog = catalogFromDocument(testDocument());
  await transaction(pool, (tx) => importCatalog(tx, catalog, 'test', clock.now(), syncInventories));
  const catalogs = new CatalogStore(pool);
  await catalogs.newest(pool);
  after(async () => {
    await pool.end();
    await database.drop();
  });

  async function customer(balance: bigint, token: { spendingLimit?: bigint } = {}): Promise<Customer> {
    const now = clock.now();
    const secret = newTokenSecret();
    return await transaction(pool, async (tx) => {
      const created = await createCustomer(
        tx,
        {
          email: `${randomBytes(6).toString('hex')}@example.com`,
          passwordHash: null,
          firstName: 'Test',
          lastName: 'Customer',
          locale: 'en',
          timezone: 'UTC',
          currency: catalog.currency,
        },
        now,
      );
      if (created.kind !== 'created') throw new Error('the address is taken');
      if (balance !== 0n)
        await adjustBalance(tx, created.accountId, { amount: balance, reason: 'test' }, now);
      const tokenId = await issueToken(
        tx,
        {
          accountId: created.accountId,
          userId: created.userId,
          kind: 'api',
          name: 'test',
          scopes: ['*'],
          expiresAt: null,
          spendingLimit: token.spendingLimit ?? null,
        },
        secret,
        now,
      );
      return { accountId: created.accountId, userId: created.userId, tokenId, secret };
    });
  }

  function context(who: Customer): Context {
    const caller: Caller = {
      accountId: who.accountId,
      userId: who.userId,
      tokenId: who.tokenId,
      kind: 'api',
      role: 'owner',
      scopes: ['*'],
      resourceAllowlist: null,
      dryRunOnly: false,
      mayOrderNew: true,
      limited: false,
      impersonatedBy: null,
      lacksSecondFactor: false,
      expiresAt: null,
    };
    return {
      now: clock.now(),
      requestId: randomUUIDv7(),
      ip: '127.0.0.1',
      userAgent: 'test',
      locale: 'en',
      referralCode: null,
      deviceCookie: null,
      caller: caller as Context['caller'],
      catalog: catalogs.current(),
      catalogs,
      sealer,
      signer,
      publicUrl: 'http://localhost',
      registration: 'open',
      rate: { limit: 600, remaining: 600, reset: 60 },
      refusal: (code, detail) => new Refusal(code, detail),
    };
  }

  /** A request as the runner would make it. */
  function item(operation: Operation, who: Customer, input: object, key: string | null = null): WriteItem {
    const raw = input as { dry_run?: boolean };
    return {
      operation,
      ctx: context(who),
      input: checkInput(operation.input, raw as never),
      effect: raw.dry_run !== true,
      asked: undefined,
      key:
        key === null
          ? null
          : {
              namespace: who.accountId,
              key,
              operation: operation.path,
              requestHash: Buffer.from(JSON.stringify(input)),
            },
    };
  }

  /** What must hold of the money after anything: sums, balances, holds, chain positions. */
  async function booksProblems(): Promise<string[]> {
    const { rows } = await pool.pg.query<{ problem: string }>(`
      SELECT 'entry ' || entry_id || ' does not sum to zero' AS problem
        FROM ledger_postings GROUP BY entry_id HAVING sum(amount) <> 0
      UNION ALL SELECT 'balance of ' || a.id FROM accounts a
        WHERE a.balance <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e WHERE e.account_id = a.id)
           OR a.balance <> (SELECT coalesce(sum(amount), 0) FROM ledger_postings p WHERE p.ledger_account = 'customer:' || a.id)
      UNION ALL SELECT 'seq of ' || a.id FROM accounts a
        WHERE a.ledger_seq <> (SELECT count(*) FROM ledger_entries e WHERE e.account_id = a.id)
           OR a.ledger_seq <> (SELECT coalesce(max(seq), 0) FROM ledger_entries e WHERE e.account_id = a.id)
      UNION ALL SELECT 'events of ' || a.id FROM accounts a
        WHERE a.event_seq <> (SELECT count(*) FROM events e WHERE e.account_id = a.id)
      UNION ALL SELECT 'reserved of ' || a.id FROM accounts a
        WHERE a.reserved <> (SELECT coalesce(sum(amount), 0) FROM holds h WHERE h.account_id = a.id AND h.state = 'open')
      UNION ALL SELECT 'chain of ' || e.account_id FROM ledger_entries e
        JOIN ledger_entries f ON f.account_id = e.account_id AND f.seq = e.seq + 1 WHERE f.prev_hash <> e.hash
      UNION ALL SELECT 'order without its service ' || o.id FROM orders o
        WHERE o.state = 'completed' AND NOT EXISTS (SELECT FROM services s WHERE s.id = o.service_id)
      UNION ALL SELECT 'completed order without its entry ' || o.id FROM orders o
        WHERE o.state = 'completed' AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.id = o.entry_id)`);
    return rows.map((row) => row.problem);
  }

  async function balanceOf(who: Customer): Promise<bigint> {
    const row = await pool.kysely
      .selectFrom('accounts')
      .select('balance')
      .where('id', '=', who.accountId)
      .executeTakeFirstOrThrow();
    return row.balance;
  }

  return {
    database,
    clock,
    pool,
    sealer,
    signer,
    catalog,
    catalogs,
    customer,
    context,
    item,
    booksProblems,
    balanceOf,
  };
}

/**
 * The small catalogue with terms to choose from, and a license dearer than most balances. Its pools are small: to write
 * thousands of addresses that nobody takes costs more than most tests.
 */
function testDocument() {
  const document = { ...smallDocument(), hosts: [host('fra-epyc', '198.18.0.0/24', '2001:db8:1000::/56')] };
  const [pack] = document.license_packages;
  if (pack === undefined) throw new Error('the small catalogue sells no license');
  const durations = [1, 2, 3, 12].map((duration) => ({ duration, duration_unit: 'month' }));
  return {
    ...document,
    license_packages: [
      { ...pack, durations: [...durations, { duration: 1, duration_unit: 'year' }] },
      {
        ...pack,
        uuid: DEAR_LICENSE,
        id: pack.id + 1,
        name: 'Dear',
        pricings: { year: 500, month: 50, hour: 0.1 },
        durations,
      },
    ],
  };
}

export const LICENSE = '8d16217b-9412-49e8-8664-3c904111a352';
export const DEAR_LICENSE = '0d9df1f5-36ee-4ad3-a2c8-52a6d6b6d9a1';
