import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Customer, DEAR_LICENSE, LICENSE, openFixture } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { Pool } from '../../../db/pool.ts';
import { transaction } from '../../../db/transaction.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { adjustBalance } from '../../core/accounts/adjust.ts';
import { importCatalog } from '../../core/catalog/import.ts';
import { AffiliateTerms } from '../../core/catalog/schema/life.ts';
import { syncInventories } from '../../products.ts';
import { refundableOrder, refundOrder } from '../orders/refund.ts';
import { ensureAffiliateCode } from './affiliate.ts';
import commissions from './commissions.job.ts';
import { rememberReferrer } from './referral.ts';

const fixture = await openFixture();
const { pool, clock, catalogs, sealer, signer } = fixture;
const { data } = openRequests(fixture);
const START = clock.now();
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

async function sell(terms: object): Promise<void> {
  const affiliate = AffiliateTerms.parse({ enabled: true, hold_days: 30, ...terms });
  const catalog = { ...fixture.catalog, affiliate };
  await transaction(pool, (tx) => importCatalog(tx, catalog, randomUUID(), clock.now(), syncInventories));
  await catalogs.newest(pool);
}
await sell({});

async function run(on: Pool = pool): Promise<void> {
  assert.ok(commissions.kind === 'maintenance');
  const log = pino({ level: 'silent' });
  await commissions.run(on, { now: clock.now(), catalogs, sealer, signer, log }, undefined as never);
}

async function pair(): Promise<{ affiliate: Customer; customer: Customer }> {
  const [affiliate, customer] = [await fixture.customer(0n), await fixture.customer(0n)];
  await ensureAffiliateCode(pool, affiliate.accountId, clock.now());
  await transaction(pool, async (tx) => {
    await rememberReferrer(tx, customer.accountId, affiliate.accountId);
    await adjustBalance(tx, customer.accountId, { amount: 100_000n, reason: 'test' }, clock.now());
  });
  return { affiliate, customer };
}

const buy = async (customer: Customer, change: object = {}) =>
  await data('panel/order', { ...order, ...change }, { token: customer.secret });

async function refund(customer: Customer, orderId: string, gross: bigint): Promise<void> {
  await inUnitOfWork(pool, clock.now(), [customer.accountId], async (tx, uow) => {
    const found = await refundableOrder(tx, customer.accountId, orderId);
    assert.ok(found !== null);
    const draft = {
      gross,
      basis: 'goodwill' as const,
      periodFrom: found.period_to,
      reason: 'test',
      createdBy: null,
    };
    refundOrder(uow, found, draft);
  });
}

/** State, order total and amount of each, the smallest orders first. */
async function earnedBy(affiliate: Customer) {
  const rows = await pool.kysely
    .selectFrom('commissions')
    .select(['state', 'order_total', 'amount'])
    .where('affiliate_id', '=', affiliate.accountId)
    .orderBy('order_total')
    .orderBy('state')
    .execute();
  return rows.map(({ state, order_total, amount }) => [state, order_total, amount]);
}

async function after(days: number, work: () => Promise<void>): Promise<void> {
  clock.set(START.add({ hours: 24 * days }));
  try {
    await work();
  } finally {
    clock.set(START);
  }
}

test('the first order earns a share of its net, is held for the hold days, then is paid to the balance', async () => {
  const { affiliate, customer } = await pair();
  const { charged } = await buy(customer);
  await buy(customer);
  await run();
  await run();
  assert.equal(charged.net, 3.35);
  assert.deepEqual(await earnedBy(affiliate), [['pending', 335n, 34n]]);
  await after(29, run);
  assert.equal(await fixture.balanceOf(affiliate), 0n);
  await after(30, run);
  await after(31, run);
  assert.deepEqual(await earnedBy(affiliate), [['paid', 335n, 34n]]);
  assert.equal(await fixture.balanceOf(affiliate), 34n);
  const [entry, ...others] = (await data('account/transactions', {}, { token: affiliate.secret }))
    .transactions;
  assert.deepEqual(
    [entry.type, entry.amount, entry.description, others.length],
    ['affiliate', 0.34, 'Commission for an order', 0],
  );
  const payouts = await pool.kysely
    .selectFrom('affiliate_payouts')
    .select(['amount', 'method', 'state', 'entry_id'])
    .where('account_id', '=', affiliate.accountId)
    .execute();
  assert.deepEqual(payouts, [{ amount: 34n, method: 'balance', state: 'paid', entry_id: entry.uuid }]);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('what the first order earns does not depend on when it is looked at', async () => {
  const { affiliate, customer } = await pair();
  await buy(customer);
  await run();
  await buy(customer, { pack_uuid: DEAR_LICENSE });
  await run();
  assert.deepEqual(await earnedBy(affiliate), [['pending', 335n, 34n]]);
});

test('with recurring terms every order earns, each once', async () => {
  await sell({ recurring: true });
  const { affiliate, customer } = await pair();
  const first = await buy(customer);
  await run();
  await data('panel/renew', { uuid: first.license_uuid, duration: 1 }, { token: customer.secret });
  await buy(customer, { pack_uuid: DEAR_LICENSE });
  await run();
  assert.deepEqual(await earnedBy(affiliate), [
    ['pending', 335n, 34n],
    ['pending', 335n, 34n],
    ['pending', 4_202n, 420n],
  ]);
  await after(30, run);
  assert.equal(await fixture.balanceOf(affiliate), 488n);
  await sell({});
});

test('an order earns by the terms that it was sold under, whatever they are when it is looked at', async () => {
  await sell({ commission: { type: 'fixed', value: 2 } });
  const [one, other] = [await pair(), await pair()];
  await buy(one.customer);
  await sell({ enabled: false });
  await buy(other.customer);
  await run();
  await sell({});
  await run();
  assert.deepEqual(await earnedBy(one.affiliate), [['pending', 335n, 200n]]);
  assert.deepEqual(await earnedBy(other.affiliate), []);
});

test('free orders earn nothing, and do not use up the first', async () => {
  const { affiliate, customer } = await pair();
  const column = { percent: 10_000, valid_from: START, created_at: START };
  await pool.kysely
    .insertInto('discount_codes')
    .values({ ...column, code: 'FREE' })
    .execute();
  assert.equal((await buy(customer, { discount_code: 'FREE' })).charged.gross, 0);
  await run();
  assert.deepEqual(await earnedBy(affiliate), []);
  await buy(customer);
  await run();
  assert.deepEqual(await earnedBy(affiliate), [['pending', 335n, 34n]]);
});

test('a refund in the hold days lowers the commission in proportion; all of it cancels it', async () => {
  await sell({ recurring: true });
  const { affiliate, customer } = await pair();
  const part = await buy(customer);
  const whole = await buy(customer);
  const early = await buy(customer);
  await refund(customer, early.order_id, 399n);
  await run();
  await refund(customer, part.order_id, 100n);
  await refund(customer, part.order_id, 100n);
  await refund(customer, whole.order_id, 399n);
  await run();
  await run();
  assert.deepEqual(await earnedBy(affiliate), [
    ['pending', 167n, 17n],
    ['cancelled', 335n, 34n],
    ['cancelled', 335n, 34n],
  ]);
  await after(30, run);
  assert.equal(await fixture.balanceOf(affiliate), 17n);
  await sell({});
});

test('what is confirmed, but not paid because the account is suspended, follows refunds too', async () => {
  const { affiliate, customer } = await pair();
  const { order_id } = await buy(customer);
  const become = (state: string) =>
    pool.pg.query('UPDATE accounts SET state = $2 WHERE id = $1', [affiliate.accountId, state]);
  await run();
  await become('suspended');
  await after(30, run);
  assert.deepEqual(await earnedBy(affiliate), [['confirmed', 335n, 34n]]);
  await after(31, async () => {
    await refund(customer, order_id, 200n);
    await run();
    assert.deepEqual(await earnedBy(affiliate), [['confirmed', 167n, 17n]]);
    await become('active');
    await run();
  });
  assert.deepEqual(await earnedBy(affiliate), [['paid', 167n, 17n]]);
  assert.equal(await fixture.balanceOf(affiliate), 17n);
});

test('a refund after the payout takes nothing back', async () => {
  const { affiliate, customer } = await pair();
  const { order_id } = await buy(customer);
  await after(30, run);
  await after(31, async () => {
    await refund(customer, order_id, 399n);
    await run();
  });
  assert.deepEqual(await earnedBy(affiliate), [['paid', 335n, 34n]]);
  assert.equal(await fixture.balanceOf(affiliate), 34n);
});

test('workers at once earn and pay each order once', async () => {
  const pairs = await Promise.all(Array.from({ length: 5 }, pair));
  for (const { customer } of pairs) await buy(customer);
  await Promise.all([run(), run(), run()]);
  await after(30, async () => {
    await Promise.all([run(), run(), run()]);
  });
  for (const { affiliate } of pairs) {
    assert.deepEqual(await earnedBy(affiliate), [['paid', 335n, 34n]]);
    assert.equal(await fixture.balanceOf(affiliate), 34n);
  }
  assert.deepEqual(await fixture.booksProblems(), []);
});

/** What breaks when the process dies, or the database refuses, at one statement after another. */
for (const [table, change] of [
  ['commissions', 'INSERT'],
  ['commission_progress', 'INSERT'],
  ['commissions', 'UPDATE'],
  ['affiliate_payouts', 'INSERT'],
  ['ledger_postings', 'INSERT'],
] as const) {
  test(`a run that dies at its ${change} of ${table} leaves nothing half done, and the next does it all`, async () => {
    const { affiliate, customer } = await pair();
    await buy(customer);
    const owner = new Pool({ url: fixture.database.url, size: 1, name: 'owner' });
    await owner.pg.query(
      `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'dies here'; END $$`,
    );
    await owner.pg.query(`CREATE TRIGGER die BEFORE ${change} ON ${table} EXECUTE FUNCTION die()`);
    await after(30, () => run().catch((error: Error) => assert.match(error.message, /dies here/)));
    await owner.pg.query('DROP FUNCTION die CASCADE');
    await owner.end();
    assert.equal(await fixture.balanceOf(affiliate), 0n);
    assert.deepEqual(await fixture.booksProblems(), []);
    await after(30, run);
    assert.deepEqual(await earnedBy(affiliate), [['paid', 335n, 34n]]);
    assert.equal(await fixture.balanceOf(affiliate), 34n);
  });
}

test('an account that is suspended is paid once it is active again; a closed one earns nothing', async () => {
  const setState = (who: Customer, state: string) =>
    pool.pg.query('UPDATE accounts SET state = $2 WHERE id = $1', [who.accountId, state]);
  const [suspended, closed] = [await pair(), await pair()];
  await setState(suspended.affiliate, 'suspended');
  await setState(closed.affiliate, 'closed');
  await buy(suspended.customer);
  await buy(closed.customer);
  await after(30, run);
  assert.deepEqual(await earnedBy(suspended.affiliate), [['confirmed', 335n, 34n]]);
  assert.deepEqual(await earnedBy(closed.affiliate), []);
  await setState(suspended.affiliate, 'active');
  await after(31, run);
  assert.deepEqual(await earnedBy(suspended.affiliate), [['paid', 335n, 34n]]);
  assert.equal(await fixture.balanceOf(suspended.affiliate), 34n);
});

test('whoever was not brought by anybody earns nobody anything', async () => {
  const customer = await fixture.customer(10_000n);
  const { order_id } = await buy(customer);
  await run();
  const earned = pool.kysely.selectFrom('commissions').select('id').where('order_id', '=', order_id);
  assert.deepEqual(await earned.execute(), []);
});
