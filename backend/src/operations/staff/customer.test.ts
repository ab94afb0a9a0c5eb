import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data, call, refused } = openRequests(fixture);
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

test('support sees people, money, services, orders, payments, mails, and what operators did', async () => {
  const staff = { token: await staffToken(fixture) };
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret };
  const { order_id, license_uuid } = await data('panel/order', order, sent);
  await data('staff/adjust-balance', { uuid: who.accountId, amount: 5, reason: 'Goodwill' }, staff);
  await data('staff/suspend', { uuid: license_uuid, reason: 'abuse', note: 'Spam' }, staff);
  const server = {
    host: 'fra-epyc',
    os: 'debian-13',
    hostname: 'web.example.com',
    cores: 2,
    memory: 2048,
    disk: 40,
  };
  const held = JSON.parse(
    (await call('server/order', { ...server, duration: 1, tos: true, cancellation: true }, sent)).text,
  ).data;
  await fixture.pool.pg.query(
    `INSERT INTO mails (id, cause, account_id, template, variables, state, due_at, created_at)
     VALUES ($1, 'test', $2, 'account.balance-low', '{"balance": "1.00 EUR"}', 'queued', $3, $3)`,
    [randomUUID(), who.accountId, fixture.clock.now().toString()],
  );
  const shown = await data('staff/customer', { uuid: who.accountId }, staff);
  assert.equal(shown.users[0].role, 'owner');
  assert.deepEqual([shown.balance.balance, shown.balance.reserved], [101.01, held.charged.gross]);
  assert.deepEqual(shown.services, [
    { product: 'license', state: 'suspended', count: 1 },
    { product: 'server', state: 'pending', count: 1 },
  ]);
  assert.deepEqual(
    shown.holds.map((hold: { order_id: string; amount: number }) => [hold.order_id, hold.amount]),
    [[held.order_id, held.charged.gross]],
  );
  assert.deepEqual(
    new Set(shown.orders.map((one: { uuid: string }) => one.uuid)),
    new Set([order_id, held.order_id]),
  );
  assert.deepEqual([shown.mails.length, shown.mails[0].template], [1, 'account.balance-low']);
  assert.equal('variables' in shown.mails[0], false);
  assert.deepEqual(
    new Set(shown.operator_actions.map((action: { operation: string }) => action.operation)),
    new Set(['staff/adjust-balance', 'staff/suspend']),
  );
  await refused('not_found', 'staff/customer', { uuid: randomUUID() }, staff);
});
