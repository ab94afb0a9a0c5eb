// Slow: 4 s

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Customer } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';

const START = Temporal.Instant.from('2027-01-31T12:00:00Z');

const site = await openServers((document) => {
  for (const pack of document.server_packages) Object.assign(pack, { setup: 10 });
});
const { pool, clock } = site;
const { data, refused } = openRequests(site);
const staff = { token: await staffToken(site) };

beforeEach(() => clock.set(START));

async function provisioned(input: object = {}): Promise<{ who: Customer; uuid: string }> {
  const who = await site.customer(10_000n);
  const { server_uuid: uuid } = await site.order(who, input);
  await site.work();
  return { who, uuid };
}

const renew = (who: Customer, input: object) =>
  data('server/renew', { duration: 1, ...input }, { token: who.secret });

async function serviceOf(uuid: string) {
  const { rows } = await pool.pg.query<{ state: string; expire_at: string; delete_at: string | null }>(
    'SELECT state, expire_at::text, delete_at::text FROM services WHERE id = $1',
    [uuid],
  );
  return rows[0];
}

async function machineOf(uuid: string) {
  return (await site.machines()).find((machine) => machine.server_id === uuid)?.power;
}

test('a renewal is charged at once, without set-up, and extends from the end, on the day that it began', async () => {
  const { who, uuid } = await provisioned();
  const renewed = await renew(who, { uuid, auto_renew: true });
  assert.deepEqual(
    [renewed.uuid, renewed.previous_expire_at, renewed.expire_at, renewed.charged.gross, renewed.balance],
    [uuid, '2027-02-28 12:00:00', '2027-03-31 12:00:00', 3.99, 82.02],
  );
  assert.deepEqual([renewed.state, renewed.pricings.month], ['ACTIVE', 3.99]);
  const { rows } = await pool.pg.query(
    `SELECT e.kind, e.description, o.state, s.auto_renew FROM ledger_entries e JOIN orders o ON o.id = e.order_id
     JOIN services s ON s.id = o.service_id WHERE e.id = $1`,
    [renewed.transaction_uuid],
  );
  assert.deepEqual(rows, [
    {
      kind: 'renewal',
      description: 'Server Cloud S, renewal, 1 month',
      state: 'completed',
      auto_renew: true,
    },
  ]);
  assert.deepEqual(await site.stockProblems(), []);
});

test('a dry run quotes it and changes nothing; the quote holds its price', async () => {
  const { who, uuid } = await provisioned();
  const { quote } = await renew(who, { uuid, dry_run: true });
  assert.deepEqual([quote.gross, quote.lines[0].period_from], [3.99, '2027-02-28 12:00:00']);
  assert.equal((await serviceOf(uuid))?.expire_at, '2027-02-28 12:00:00+00');
  await site.importServers((document) => {
    for (const pack of document.server_packages)
      Object.assign(pack, { pricings: { year: 99, month: 9.99, hour: 0.1 } });
  });
  const sent = { token: who.secret };
  await refused('price_changed', 'server/renew', { uuid, duration: 1, max_price: 3.99 }, sent);
  assert.equal((await renew(who, { uuid, quote_uuid: quote.quote_uuid })).charged.gross, 3.99);
  await site.importServers(() => {});
});

test('in grace it runs on and is extended from the end of its term (rule B8)', async () => {
  const { who, uuid } = await provisioned();
  clock.set(Temporal.Instant.from('2027-03-02T00:00:00Z'));
  await site.live();
  assert.equal((await serviceOf(uuid))?.state, 'active');
  assert.equal((await renew(who, { uuid })).expire_at, '2027-03-31 12:00:00');
});

test('expired, it comes back from now on, runs again, and is not deleted', async () => {
  const { who, uuid } = await provisioned();
  clock.set(Temporal.Instant.from('2027-03-10T09:00:00Z'));
  await site.live();
  assert.equal((await serviceOf(uuid))?.state, 'expired');
  assert.equal(await machineOf(uuid), 'stopped');
  const renewed = await renew(who, { uuid });
  assert.deepEqual([renewed.expire_at, renewed.state], ['2027-04-10 09:00:00', 'ACTIVE']);
  await site.work();
  assert.equal(await machineOf(uuid), 'running');
  assert.deepEqual(await serviceOf(uuid), {
    state: 'active',
    expire_at: '2027-04-10 09:00:00+00',
    delete_at: null,
  });
});

test('payment lifts non-payment only: with another reason left, it stays off (rule E1)', async () => {
  const { who, uuid } = await provisioned();
  await data('staff/suspend', { uuid, reason: 'unpaid' }, staff);
  await data('staff/suspend', { uuid, reason: 'abuse' }, staff);
  await site.work();
  assert.equal((await renew(who, { uuid })).state, 'SUSPENDED');
  await site.work();
  assert.equal(await machineOf(uuid), 'stopped');
  await data('staff/unsuspend', { uuid, reason: 'abuse' }, staff);
  await site.work();
  assert.equal(await machineOf(uuid), 'running');
  await data('staff/suspend', { uuid, reason: 'unpaid' }, staff);
  await site.work();
  assert.equal((await renew(who, { uuid })).state, 'ACTIVE');
  await site.work();
  assert.equal(await machineOf(uuid), 'running');
});

test('what was cancelled, or is not sold for that term, is not renewed', async () => {
  const { who, uuid } = await provisioned();
  const sent = { token: who.secret };
  const body = await refused('validation_failed', 'server/renew', { uuid, duration: 7 }, sent);
  assert.deepEqual(body.errors[0].allowed[0], { duration: 1, duration_unit: 'hour' });
  await data('server/cancel', { uuid, confirm: 'web.example.com' }, sent);
  const conflict = await refused('state_conflict', 'server/renew', { uuid, duration: 1 }, sent);
  assert.equal(conflict.current_state, 'cancel_scheduled');
  await refused(
    'not_found',
    'server/renew',
    { uuid, duration: 1 },
    { token: (await site.customer(0n)).secret },
  );
});
