import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../../../test/fixture.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import { transaction } from '../../../../db/transaction.ts';
import { adjustBalance } from '../../../core/accounts/adjust.ts';

const fixture = await openFixture();
const { clock, pool, customer, booksProblems, balanceOf } = fixture;
const { travel, license, service, charges, events, mails, sell, sweep } = timeTravel(fixture);

const MONTH = 399n;
const set = (time: string) => clock.set(Temporal.Instant.from(time));
const pay = (accountId: string, amount: bigint) =>
  transaction(pool, (tx) =>
    adjustBalance(tx, accountId, { amount, reason: 'test', paidBy: 'test' }, clock.now()),
  );

test('a service renews itself month after month, on its own day, with one charge each', async () => {
  set('2027-01-31T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who);
  await travel('2028-03-01T00:00:00Z');
  const paid = await charges(id);
  assert.deepEqual(
    paid.map((charge) => charge.to),
    ['02-28', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31', '11-30', '12-31']
      .map((day) => `2027-${day}`)
      .concat(['2028-01-31', '2028-02-29', '2028-03-31']),
  );
  for (const [index, charge] of paid.entries())
    assert.equal(charge.from, paid[index - 1]?.to ?? '2027-01-31');
  assert.equal(await balanceOf(who), 100_00n - 14n * MONTH);
  assert.equal(await events(who, 'license.expiring'), 13);
  assert.deepEqual(
    await mails(who, 'service.expiring'),
    [],
    'who pays the same each month is not mailed each month',
  );
  assert.deepEqual(await booksProblems(), []);
});

test('who cannot pay is told once, switched off, and on again from the moment that money comes', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(MONTH);
  const id = await license(who);
  await travel('2027-02-14T00:00:00Z', { hours: 3 });
  const off = await service(id);
  assert.equal(off.state, 'suspended');
  assert.equal(off.delete_at?.toString(), '2027-03-12T09:00:00Z');
  assert.equal((await mails(who, 'service.unpaid')).length, 1);
  assert.equal((await mails(who, 'service.switched-off')).length, 1);
  assert.equal(await events(who, 'license.unpaid'), 1);
  const { rows } = await pool.pg.query('SELECT reason FROM suspensions WHERE service_id = $1', [id]);
  assert.deepEqual(rows, [{ reason: 'unpaid' }]);

  await pay(who.accountId, MONTH);
  await travel('2027-02-14T06:00:00Z', { hours: 3 });
  const on = await service(id);
  assert.equal(on.state, 'active');
  assert.equal(on.delete_at, null);
  assert.deepEqual((await charges(id)).at(-1), { from: '2027-02-14', to: '2027-03-14', gross: MONTH });
  assert.deepEqual(await booksProblems(), []);
});

test('who has it renew itself at the last moment, without money, is told of that with the end, once', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(MONTH);
  const id = await license(who, { auto_renew: false });
  await travel('2027-02-10T06:00:00Z', { hours: 3 });
  // After the end, before anybody looks.
  set('2027-02-10T10:00:00Z');
  await pool.pg.query('UPDATE services SET auto_renew = true, due_at = $2 WHERE id = $1', [
    id,
    clock.now().toString(),
  ]);
  await travel('2027-02-14T00:00:00Z', { hours: 3 });
  assert.equal((await service(id)).state, 'suspended');
  assert.equal(await events(who, 'license.unpaid'), 1);
  assert.equal(await events(who, 'license.expired'), 1);
  assert.equal((await mails(who, 'service.unpaid')).length, 0);
  assert.equal((await mails(who, 'service.switched-off')).length, 1);
});

test('what nobody wants to go on with expires, is kept for its time and then deleted, each told once', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who, { auto_renew: false, duration: 12 });
  await travel('2028-01-09T00:00:00Z');
  assert.equal((await mails(who, 'service.expiring')).length, 2);
  await travel('2028-01-11T00:00:00Z');
  assert.equal((await service(id)).state, 'expired');
  await travel('2028-03-01T00:00:00Z');
  const gone = await service(id);
  assert.equal(gone.state, 'deleted');
  assert.equal(gone.due_at, null);
  assert.notEqual(gone.ended_at, null);
  for (const template of ['service.switched-off', 'service.deleted']) {
    assert.equal((await mails(who, template)).length, 1, template);
  }
  assert.equal((await charges(id)).length, 1);
});

test('a renewal costs what was announced, also when the price has gone up since; or less, when it has fallen', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(1000_00n);
  const id = await license(who, { duration: 3 });
  await travel('2027-04-01T00:00:00Z');
  assert.notEqual((await service(id)).announced_version, null);
  await sell((document) => {
    for (const pack of document.license_packages) pack.pricings = { year: 99, month: 9, hour: 0.1 };
  });
  await travel('2027-04-11T00:00:00Z');
  assert.equal((await charges(id)).at(-1)?.gross, 3n * MONTH);
  assert.equal((await service(id)).announced_version, null);

  await travel('2027-07-08T00:00:00Z');
  const told = (await mails(who, 'service.expiring')).at(-1);
  assert.match(JSON.stringify(told), /27\.00 EUR/);
  await sell((document) => {
    for (const pack of document.license_packages) pack.pricings = { year: 20, month: 2, hour: 0.1 };
  });
  await travel('2027-07-11T00:00:00Z');
  assert.equal((await charges(id)).at(-1)?.gross, 600n);
  await sell((document) => {
    for (const pack of document.license_packages) pack.pricings = { year: 43.89, month: 3.99, hour: 0.0067 };
  });
});

test('when the money does not reach for all, the customer’s own order decides what goes on', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(3n * MONTH + 2n * MONTH);
  const [first, second, third] = [await license(who), await license(who), await license(who)];
  await pool.pg.query('UPDATE services SET renew_priority = $2 WHERE id = $1', [third, 1]);
  await pool.pg.query('UPDATE services SET renew_priority = $2 WHERE id = $1', [first, 2]);
  await travel('2027-02-12T00:00:00Z');
  const states = await Promise.all([first, second, third].map(async (id) => (await service(id)).state));
  assert.deepEqual(states, ['active', 'suspended', 'active']);
  assert.equal(await balanceOf(who), 0n);
});

test('a discount for several terms holds for as many and no more', async () => {
  set('2027-01-10T09:00:00Z');
  await pool.pg.query(
    `INSERT INTO discount_codes (code, percent, cycles, valid_from, created_at) VALUES ('THREE', 5000, 3, $1, $1)`,
    [clock.now()],
  );
  const who = await customer(100_00n);
  const id = await license(who, { discount_code: 'three' });
  assert.equal((await service(id)).discount_left, 2);
  await travel('2027-05-15T00:00:00Z');
  assert.deepEqual(
    (await charges(id)).map((charge) => charge.gross),
    [200n, 200n, 200n, MONTH, MONTH],
  );
  assert.equal((await service(id)).discount_code, null);
});

test('after a long stand-still of the platform, what ran on is charged term by term, and nothing twice', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who, { duration: 2 });
  set('2027-03-10T08:00:00Z');
  await sweep();
  assert.equal((await charges(id)).length, 2);
  set('2027-09-01T00:00:00Z');
  await sweep();
  // A license is off from its end on: what follows begins when it is on again.
  assert.deepEqual((await charges(id)).at(-1), { from: '2027-09-01', to: '2027-11-01', gross: 2n * MONTH });
  assert.equal((await charges(id)).length, 3);
  assert.deepEqual(await booksProblems(), []);
});

test('accounts with more services than one transaction takes are swept whole, and one stuck account stops no other', async () => {
  set('2027-01-10T09:00:00Z');
  const many = await customer(100_000_00n);
  const other = await customer(100_00n);
  for (let count = 0; count < 12; count += 1) await license(many);
  await pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, created_at, due_at)
     SELECT gen_random_uuid(), account_id, product, item, name, state, auto_renew, duration, duration_unit,
       anchor_day, expire_at, created_at, due_at
     FROM services, generate_series(1, 100) WHERE account_id = $1`,
    [many.accountId],
  );
  const broken = await license(other);
  const healthy = await license(await customer(100_00n));
  await pool.pg.query(`UPDATE services SET announced_version = 4711 WHERE id = $1`, [broken]);
  await travel('2027-02-10T00:00:00Z');
  const { rows } = await pool.pg.query<{ orders: bigint }>(
    `SELECT count(*) AS orders FROM orders WHERE account_id = $1 AND action = 'renew'`,
    [many.accountId],
  );
  assert.equal(rows[0]?.orders, 1212n);
  assert.equal((await charges(healthy)).length, 2);
  assert.equal((await charges(broken)).length, 1);
  await pool.pg.query(`UPDATE services SET announced_version = NULL WHERE id = $1`, [broken]);
});
