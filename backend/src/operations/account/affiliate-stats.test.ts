import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { importCatalog } from '../../business/core/catalog/import.ts';
import { AffiliateTerms } from '../../business/core/catalog/schema/life.ts';
import { syncInventories } from '../../business/products.ts';
import { countClick } from '../../business/selling/affiliates/click.ts';
import commissions from '../../business/selling/affiliates/commissions.job.ts';
import { rememberReferrer } from '../../business/selling/affiliates/referral.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const { pool, clock, catalogs, sealer, signer } = fixture;
const { call, data, refused } = openRequests(fixture);
const START = clock.now();
const STATS = 'account/affiliate-stats';

async function terms(changed: object): Promise<void> {
  const affiliate = AffiliateTerms.parse(changed);
  const note = JSON.stringify(changed);
  await transaction(pool, (tx) =>
    importCatalog(tx, { ...fixture.catalog, affiliate }, note, clock.now(), syncInventories),
  );
  await catalogs.newest(pool);
}
const ON = { enabled: true, commission: { type: 'percent', value: 12.5 }, recurring: true, hold_days: 14 };
const stats = async (who: Customer, input: object = {}) => await data(STATS, input, { token: who.secret });

async function run(): Promise<void> {
  assert.ok(commissions.kind === 'maintenance');
  const context = { now: clock.now(), catalogs, sealer, signer, log: pino({ level: 'silent' }) };
  await commissions.run(pool, context, undefined as never);
}

async function referred(affiliate: Customer): Promise<Customer> {
  const customer = await fixture.customer(10_000n);
  await transaction(pool, (tx) => rememberReferrer(tx, customer.accountId, affiliate.accountId));
  return customer;
}
const buy = async (customer: Customer) => {
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  await data('panel/order', order, { token: customer.secret });
};

test('while the program is off: nothing, and no code is made', async () => {
  const who = await fixture.customer(0n);
  assert.deepEqual(await stats(who), {
    enabled: false,
    code: '',
    link: '',
    commission: { type: 'percent', value: 10, recurring: false, hold_days: 30 },
    totals: { clicks: 0, signups: 0, orders: 0, conversion_rate: 0, pending: 0, confirmed: 0, paid: 0 },
    currency: 'EUR',
    leads: [],
    payouts: [],
    pagination: { page: 1, per_page: 25, total: 0, total_pages: 0 },
  });
  assert.deepEqual(await pool.kysely.selectFrom('affiliates').selectAll().execute(), []);
});

test('the code is made at the first asking, also when many ask at once, and stays', async () => {
  await terms(ON);
  const who = await fixture.customer(0n);
  const answers = await Promise.all(Array.from({ length: 8 }, () => stats(who)));
  const { code, link, commission } = answers[0];
  assert.match(code, /^[34679acdefghjkmnpqrtwxy]{8}$/);
  assert.equal(link, `https://hostkeep.example/r/${code}`);
  assert.deepEqual(commission, { type: 'percent', value: 12.5, recurring: true, hold_days: 14 });
  for (const answer of answers) assert.equal(answer.code, code);
});

test('totals, leads and payouts are those of the period, and leads do not tell who the customers are', async () => {
  await terms(ON);
  const who = await fixture.customer(0n);
  const { code } = await stats(who);
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
    await countClick(pool, code, ip, clock.now());
  }
  const [early, late] = [await referred(who), await referred(who)];
  await buy(early);
  await run();
  clock.set(START.add({ hours: 24 * 14 }));
  await buy(late);
  await run();
  const { totals, leads, payouts, pagination, currency } = await stats(who);
  assert.deepEqual(totals, {
    clicks: 4,
    signups: 2,
    orders: 2,
    conversion_rate: 0.5,
    pending: 0.42,
    confirmed: 0,
    paid: 0.42,
  });
  assert.equal(currency, 'EUR');
  assert.deepEqual(pagination, { page: 1, per_page: 25, total: 2, total_pages: 1 });
  const lead = { product_type: 'license', order_total: 3.35, commission: 0.42 };
  assert.deepEqual(
    leads.map(({ uuid, ...told }: { uuid: string }) => told),
    [
      { ...lead, date: '2027-01-29', state: 'pending' },
      { ...lead, date: '2027-01-15', state: 'paid' },
    ],
  );
  assert.deepEqual(
    payouts.map(({ uuid, ...told }: { uuid: string }) => told),
    [{ amount: 0.42, method: 'balance', state: 'paid', created_at: '2027-01-29 12:00:00' }],
  );
  const { text } = await call(STATS, {}, { token: who.secret });
  const { rows } = await pool.pg.query(
    'SELECT id::text FROM orders UNION ALL SELECT service_id::text FROM orders UNION ALL SELECT account_id::text FROM orders',
  );
  for (const { id } of rows) assert.ok(!text.includes(id), 'something of the customer is told');

  const first = await stats(who, { from: '2027-01-15', to: '2027-01-15' });
  assert.deepEqual([first.totals.clicks, first.totals.paid, first.totals.pending], [4, 0.42, 0]);
  assert.deepEqual([first.leads.length, first.payouts.length], [1, 0]);
  const none = await stats(who, { from: '2027-01-16', to: '2027-01-28' });
  assert.deepEqual([none.totals.clicks, none.leads.length, none.totals.orders], [0, 0, 0]);
  const second = await stats(who, { page: 2, per_page: 1, order: 'asc' });
  assert.deepEqual([second.leads[0].date, second.pagination.total_pages], ['2027-01-29', 2]);
  assert.deepEqual((await stats(await fixture.customer(0n))).leads, [], 'others see nothing of it');
  clock.set(START);
});

test('what was earned is still told, and paid, when the program is turned off', async () => {
  await terms(ON);
  const who = await fixture.customer(0n);
  await stats(who);
  await buy(await referred(who));
  await run();
  await terms({ ...ON, enabled: false });
  clock.set(START.add({ hours: 24 * 14 }));
  await run();
  const { enabled, code, link, totals } = await stats(who);
  assert.deepEqual([enabled, code, link, totals.paid], [false, '', '', 0.42]);
  assert.equal(await fixture.balanceOf(who), 42n);
  clock.set(START);
});

test('clicks of one place are counted ten a minute, those of nobody’s code not at all', async () => {
  await terms(ON);
  const who = await fixture.customer(0n);
  const { code } = await stats(who);
  for (let click = 0; click < 15; click += 1) await countClick(pool, code, '2001:db8::1', clock.now());
  await countClick(pool, 'nobodys0', '198.51.100.1', clock.now());
  assert.equal((await stats(who)).totals.clicks, 10);
  await countClick(pool, code, '2001:db8::2', START.add({ minutes: 1 }));
  assert.equal((await stats(who)).totals.clicks, 11);
});

test('pages that lie too deep and days that are none are refused', async () => {
  const who = await fixture.customer(0n);
  for (const input of [{ page: 1_000_000 }, { from: '2027-02-30' }, { to: 'today' }, { search: 'x' }]) {
    await refused('validation_failed', STATS, input, { token: who.secret });
  }
});
