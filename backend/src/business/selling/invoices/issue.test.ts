import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openFixture } from '../../../../test/fixture.ts';
import { openInvoicing } from '../../../../test/invoicing.ts';
import { lossyProxy } from '../../../../test/lossy-proxy.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { transaction } from '../../../db/transaction.ts';
import { importCatalog } from '../../core/catalog/import.ts';
import { syncInventories } from '../../products.ts';

const fixture = await openFixture();
const { pool, clock, customer, database } = fixture;
const invoicing = openInvoicing(fixture);
const { issue, collect, order, renewals, refund, problems, uninvoiced, invoices, failures } = invoicing;

/** At the seller's, in Frankfurt. */
const localNoon = (day: string) => Temporal.ZonedDateTime.from(`${day}T12:00[Europe/Berlin]`).toInstant();

test('an order is one invoice, with the sums of the order, and whoever runs the job again issues no other', async () => {
  const who = await customer(10_000n);
  const id = await order(who);
  await issue();
  await issue();
  const [invoice, ...others] = await invoices(who);
  assert.equal(others.length, 0);
  assert.equal(invoice?.number, 'INV-2027-000001');
  assert.equal(invoice?.issue_date, '2027-01-15');
  assert.deepEqual([invoice?.net, invoice?.tax, invoice?.gross], [335n, 64n, 399n]);
  const [kept] = await pool.kysely.selectFrom('orders').select('invoice_id').where('id', '=', id).execute();
  assert.equal(kept?.invoice_id, invoice?.id);
  assert.deepEqual(await problems(), []);
  assert.equal(await uninvoiced(), 0n);
});

test('the automatic renewals of an account and a day are one invoice, once the day is over at the seller’s', async () => {
  clock.set(localNoon('2027-01-16'));
  const [who, other] = [await customer(10_000n), await customer(10_000n)];
  await renewals(who, 3);
  await renewals(other, 1);
  await issue();
  await collect();
  assert.equal((await invoices(who)).length, 0, 'the day is not over');
  clock.set(Temporal.Instant.from('2027-01-16T22:59:00Z'));
  await renewals(who, 1);
  clock.set(Temporal.Instant.from('2027-01-16T23:01:00Z'));
  await renewals(who, 1);
  clock.set(Temporal.Instant.from('2027-01-16T23:07:00Z'));
  await collect();
  const [collective, ...more] = await invoices(who);
  assert.equal(more.length, 0, 'the renewal after midnight waits for its own day');
  assert.equal(collective?.gross, 1596n);
  assert.equal(collective?.issue_date, '2027-01-17');
  assert.equal((await invoices(other)).length, 1);
  clock.set(localNoon('2027-01-18'));
  await collect();
  assert.equal((await invoices(who)).length, 2);
  assert.deepEqual(await problems(), []);
  assert.equal(await uninvoiced(), 0n);
});

test('renewals that are taxed otherwise are invoiced apart', async () => {
  const who = await customer(10_000n);
  const ids = await renewals(who, 3);
  await pool.pg.query(
    `UPDATE orders SET tax_kind = 'reverse_charge', tax_rate = 0, tax_country = 'AT', net = gross, tax = 0,
       lines = jsonb_set(lines, '{0,net}', '3.99') WHERE id = $1`,
    [ids[0]],
  );
  clock.set(clock.now().add({ hours: 24 }));
  await collect();
  assert.deepEqual((await invoices(who)).map((one) => [one.tax_kind, one.gross]).sort(), [
    ['reverse_charge', 399n],
    ['standard', 798n],
  ]);
  assert.deepEqual(await problems(), []);
});

test('a refund becomes a credit note about the invoice of its order, never before that one exists', async () => {
  const who = await customer(10_000n);
  const [renewed] = await renewals(who, 1);
  await refund(renewed ?? '', 0.4);
  await issue();
  assert.deepEqual(await invoices(who), []);
  clock.set(clock.now().add({ hours: 24 }));
  await collect();
  await issue();
  await issue();
  const [invoice, note, ...others] = await invoices(who);
  assert.equal(others.length, 0);
  assert.equal(note?.kind, 'credit_note');
  assert.match(note?.number ?? '', /^CN-2027-00000\d$/);
  assert.equal(note?.corrects, invoice?.id);
  assert.deepEqual([note?.gross, note?.tax, note?.tax_country], [40n, 6n, 'DE']);
  assert.deepEqual(note?.buyer, invoice?.buyer);
  assert.deepEqual(await problems(), []);
  assert.equal(await uninvoiced(), 0n);
});

test('an order that cost nothing gets no invoice', async () => {
  const who = await customer(10_000n);
  const id = await order(who);
  await pool.pg.query(`UPDATE orders SET gross = 0, net = 0, tax = 0, discount = 335 WHERE id = $1`, [id]);
  await issue();
  assert.deepEqual(await invoices(who), []);
  await pool.pg.query(`UPDATE orders SET gross = 399, net = 335, tax = 64, discount = 0 WHERE id = $1`, [id]);
  await issue();
});

test('a clock that is behind another does not date a number before the one before it', async () => {
  const who = await customer(10_000n);
  await order(who);
  await issue();
  const now = clock.now();
  await order(who);
  clock.set(now.subtract({ hours: 30 }));
  await issue();
  clock.set(now);
  const [first, second] = await invoices(who);
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(second.issue_date, first.issue_date);
  assert.equal(second.sequence, first.sequence + 1n);
  assert.deepEqual(await problems(), []);
});

test('numbers begin again with the year at the seller’s', async () => {
  const who = await customer(10_000n);
  clock.set(Temporal.Instant.from('2027-12-31T22:59:00Z'));
  await order(who);
  await issue();
  clock.set(Temporal.Instant.from('2027-12-31T23:00:00Z'));
  await order(who);
  await issue();
  const [old, young] = await invoices(who);
  assert.equal(old?.issue_date, '2027-12-31');
  assert.equal(young?.number, 'INV-2028-000001');
  assert.equal(young?.issue_date, '2028-01-01');
  assert.deepEqual(await problems(), []);
});

test('two workers at once issue each invoice once, without a gap', async () => {
  const customers = await Promise.all(Array.from({ length: 12 }, () => customer(10_000n)));
  for (const who of customers) for (let time = 0; time < 3; time += 1) await order(who);
  await Promise.all([issue(), issue(), issue()]);
  await issue();
  for (const who of customers) assert.equal((await invoices(who)).length, 3);
  assert.deepEqual(await problems(), []);
  assert.equal(await uninvoiced(), 0n);
});

test('nothing that breaks a transaction anywhere leaves a gap, a second number or an order without one', async () => {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'broken off on purpose'; END $$`);
  const points = [
    'UPDATE ON orders',
    'INSERT ON invoice_series',
    'UPDATE ON invoice_series',
    'INSERT ON invoices',
    'INSERT ON events',
    'INSERT ON mails',
    'UPDATE ON accounts',
  ];
  const who = await customer(100_000n);
  for (const point of points) {
    const ordered = await order(who);
    const timing = point === 'INSERT ON invoice_series' ? 'BEFORE' : 'AFTER';
    const level = timing === 'BEFORE' ? 'ROW' : 'STATEMENT';
    await owner.query(
      `CREATE TRIGGER broken ${timing} ${point} FOR EACH ${level} EXECUTE FUNCTION break_off()`,
    );
    await issue();
    assert.equal(failures.length, 1, `${point} was not reached`);
    failures.length = 0;
    assert.deepEqual(await problems(), []);
    await owner.query(`DROP TRIGGER broken ON ${point.split(' ON ')[1]}`);
    await issue();
    const [kept] = await pool.kysely
      .selectFrom('orders')
      .select('invoice_id')
      .where('id', '=', ordered)
      .execute();
    assert.notEqual(kept?.invoice_id, null, point);
    assert.deepEqual(await problems(), []);
  }
  await owner.end();
  assert.equal((await invoices(who)).length, points.length);
  assert.equal(await uninvoiced(), 0n);
});

test('a connection that is lost around COMMIT, before or after it took effect, numbers nothing twice', async () => {
  const proxy = await lossyProxy(database.url);
  const lossy = new Pool({ url: proxy.url, size: 3, name: 'lossy', role: APPLICATION_ROLE });
  const who = await customer(10_000n);
  for (const lose of ['before', 'after'] as const) {
    await order(who);
    proxy.state.lose = lose;
    await issue(lossy);
    await issue(lossy);
  }
  await lossy.end();
  assert.equal(proxy.state.lost, 2);
  assert.equal((await invoices(who)).length, 2);
  assert.deepEqual(await problems(), []);
  assert.equal(await uninvoiced(), 0n);
});

test('without a seller, or one without any tax number, nothing is issued; then all of it is', async () => {
  const who = await customer(10_000n);
  const sellWith = async (seller: typeof fixture.catalog.seller) => {
    await transaction(pool, (tx) =>
      importCatalog(tx, { ...fixture.catalog, seller }, 'test', clock.now(), syncInventories),
    );
  };
  const { seller } = fixture.catalog;
  assert.ok(seller !== null);
  await sellWith(null);
  await order(who);
  await issue();
  const { vat_id: _, ...untaxed } = seller;
  await sellWith(untaxed);
  await issue();
  assert.deepEqual(await invoices(who), []);
  await sellWith(seller);
  await issue();
  assert.equal((await invoices(who)).length, 1);
  assert.deepEqual(await problems(), []);
});
