// Slow: 10 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../../../test/requests.ts';
import { openServers } from '../../../../../test/servers.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import { transaction } from '../../../../db/transaction.ts';
import { adjustBalance } from '../../../core/accounts/adjust.ts';
import retry from './retry.job.ts';

const fixture = await openServers((document) => {
  Object.assign(document, { life: { server: { keep_days: 7, grace_days: 0 }, license: { keep_days: 60 } } });
});
const { clock, pool, customer } = fixture;
const { travel, license, service, charges, sweep } = timeTravel(fixture);
const { data, refused } = openRequests(fixture);
const staff = await staffToken(fixture);

const set = (time: string) => clock.set(Temporal.Instant.from(time));
const pay = (who: Customer, amount: bigint) =>
  transaction(pool, (tx) =>
    adjustBalance(tx, who.accountId, { amount, reason: 'test', paidBy: 'test' }, clock.now()),
  );
const day = (instant: Temporal.Instant | null) => instant?.toString().slice(0, 10);

test('what can be paid for is not deleted, however long the worker stood still', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(399n);
  const id = await license(who);
  await travel('2027-02-12T09:00:00Z');
  const { state, delete_at } = await service(id);
  assert.equal(state, 'suspended');
  assert.ok(delete_at);
  clock.set(delete_at.subtract({ hours: 48 }));
  await pay(who, 399n);
  clock.set(delete_at.add({ hours: 1 }));
  await sweep();
  assert.equal((await service(id)).state, 'active');
});

test('of several services that are switched off together, each is told when it is deleted', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const { server_uuid } = await fixture.order(who, { auto_renew: false });
  await fixture.work();
  const id = await license(who, { auto_renew: false });
  await travel('2027-02-12T00:00:00Z');
  const { rows } = await pool.pg.query<{ product: string; deleted: string }>(
    `SELECT s ->> 'product' AS product, left(m.variables ->> 'deleted_at', 10) AS deleted
     FROM mails m, jsonb_array_elements(m.variables -> 'services') s
     WHERE account_id = $1 AND template = 'service.switched-off' ORDER BY 1`,
    [who.accountId],
  );
  assert.deepEqual(rows, [
    { product: 'license', deleted: day((await service(id)).delete_at) },
    { product: 'server', deleted: day((await service(server_uuid)).delete_at) },
  ]);
});

test('what is off for want of money comes back by payment only, and the time that it was off is not charged', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const { server_uuid } = await fixture.order(who, { auto_renew: true });
  await fixture.work();
  await pay(who, -(await fixture.balanceOf(who)));
  await travel('2027-02-14T09:00:00Z');
  const lift = { uuid: server_uuid, reason: 'unpaid' };
  await refused('state_conflict', 'staff/unsuspend', lift, { token: staff });
  await pay(who, 100_00n);
  await fixture.run(retry, { account_id: who.accountId });
  await sweep();
  assert.equal((await charges(server_uuid)).at(-1)?.from, '2027-02-14');
  assert.equal((await service(server_uuid)).state, 'active');
});

test('who waited for a server does not pay for the waiting', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const { server_uuid } = await fixture.order(who, { duration_unit: 'hour', auto_renew: true });
  for (let half = 0; half < 10; half += 1) {
    clock.set(clock.now().add({ minutes: 30 }));
    await sweep();
  }
  await fixture.work();
  const { rows } = await pool.pg.query<{ period_from: Temporal.Instant }>(
    'SELECT period_from FROM orders WHERE service_id = $1 ORDER BY period_from',
    [server_uuid],
  );
  assert.deepEqual(
    rows.map((row) => row.period_from.toString()),
    [clock.now().toString()],
  );
});

test('an hour that was paid for is not followed by days of grace for nothing', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const { server_uuid } = await fixture.order(who, { duration_unit: 'hour', auto_renew: false });
  await fixture.work();
  set('2027-01-10T10:00:00Z');
  await sweep();
  assert.equal((await service(server_uuid)).state, 'expired');
});

test('a license that is renewed in its last minute keeps its day', async () => {
  set('2027-01-10T23:59:30Z');
  const id = await license(await customer(100_00n));
  set('2027-02-10T23:59:00Z');
  for (let minute = 0; minute < 3; minute += 1) {
    await sweep();
    clock.set(clock.now().add({ minutes: 1 }));
  }
  assert.equal((await service(id)).expire_at.toString(), '2027-03-10T23:59:30Z');
});

test('what the version before sold has a life as well', async () => {
  set('2027-01-10T09:00:00Z');
  const id = await license(await customer(399n));
  // As that version writes it: it does not know the columns.
  await pool.pg.query('UPDATE services SET due_at = DEFAULT, term_gross = NULL WHERE id = $1', [id]);
  await travel('2027-02-12T00:00:00Z');
  assert.equal((await service(id)).state, 'suspended');
});

test('whoever orders and withdraws cannot empty the stock for nothing: a day later the place is free', async () => {
  set('2027-05-10T09:00:00Z');
  await fixture.live();
  const who = await customer(100_00n);
  const taken = async () => {
    const { rows } = await pool.pg.query(
      `SELECT sum(cores_used)::int AS cores,
         (SELECT count(*)::int FROM addresses WHERE state = 'assigned') AS addresses FROM nodes`,
    );
    return rows[0];
  };
  const before = await taken();
  const withdraw = { mode: 'withdraw', confirm: 'web.example.com' };
  for (let count = 0; count < 3; count += 1) {
    const { server_uuid: uuid } = await fixture.order(who);
    await fixture.work();
    const told = await data('server/cancel', { uuid, ...withdraw }, { token: who.secret });
    assert.equal(told.data_deleted_at, '2027-05-11 09:00:00');
  }
  await fixture.work();
  assert.equal(await fixture.balanceOf(who), 100_00n);
  set('2027-05-11T09:00:00Z');
  await fixture.live();
  assert.deepEqual(await taken(), before);
  assert.deepEqual(await fixture.stockProblems(), []);
});
