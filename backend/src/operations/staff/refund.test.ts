import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Customer, LICENSE } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';

const site = await openServers();
const { pool } = site;
const { call, data, refused } = openRequests(site);
const staff = { token: await staffToken(site) };

async function licensed(balance = 1_000n): Promise<{ who: Customer; uuid: string; order_id: string }> {
  const who = await site.customer(balance);
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  const { license_uuid: uuid, order_id } = await data('panel/order', order, { token: who.secret });
  return { who, uuid, order_id };
}

const refund = (order_id: string, more: object = {}) =>
  data('staff/refund', { order_id, reason: 'Outage', basis: 'goodwill', ...more }, staff);
const cannot = (error: string, order_id: string, more: object = {}) =>
  refused(error, 'staff/refund', { order_id, reason: 'Outage', basis: 'goodwill', ...more }, staff);

test('without an amount all that is left is refunded, and the service goes on', async () => {
  const { who, uuid, order_id } = await licensed();
  const first = await refund(order_id, { amount: 1 });
  assert.deepEqual(
    [first.order_id, first.account_uuid, first.amount, first.tax, first.left, first.balance, first.service],
    [order_id, who.accountId, 1, 0.16, 2.99, 7.01, { uuid, product: 'license', state: 'active' }],
  );
  const rest = await refund(order_id);
  assert.deepEqual([rest.amount, rest.tax, rest.left, rest.balance], [2.99, 0.48, 0, 10]);
  const body = await cannot('refund_exceeds_order', order_id);
  assert.deepEqual([body.left, body.currency], [0, 'EUR']);
  const { rows } = await pool.pg.query(
    `SELECT kind, amount, tax, description, order_id FROM ledger_entries WHERE account_id = $1 AND kind = 'refund' ORDER BY seq`,
    [who.accountId],
  );
  const common = { kind: 'refund', description: 'Refund: License Panel, 1 month', order_id };
  assert.deepEqual(rows, [
    { ...common, amount: 100n, tax: 16n },
    { ...common, amount: 299n, tax: 48n },
  ]);
  const events = await pool.pg.query<{ body: { gross_minor: number; transaction_uuid: string } }>(
    "SELECT body FROM events WHERE account_id = $1 AND type = 'order.refunded' ORDER BY sequence",
    [who.accountId],
  );
  assert.deepEqual(
    events.rows.map(({ body }) => [body.gross_minor, body.transaction_uuid]),
    [
      [100, first.transaction_uuid],
      [299, rest.transaction_uuid],
    ],
  );
  assert.deepEqual(await site.booksProblems(), []);
});

test('a refund says from when on nothing is delivered: never, the whole term, or from its end on', async () => {
  const goodwill = await licensed();
  const undelivered = await licensed();
  const outage = await licensed();
  const ended = await licensed();
  const broken = await licensed();
  await refund(goodwill.order_id);
  await refund(undelivered.order_id, { basis: 'undelivered' });
  await refund(outage.order_id, { basis: 'undelivered', amount: 1 });
  site.clock.set(site.clock.now().add({ hours: 24 }));
  const answer = await refund(ended.order_id, { amount: 2, end_service: true });
  assert.deepEqual(answer.service, { uuid: ended.uuid, product: 'license', state: 'cancelled' });
  await refund(broken.order_id, { basis: 'undelivered', amount: 2, end_service: true });
  const from = async (order: string) =>
    (
      await pool.pg.query<{ from: string }>(
        `SELECT r.period_from::text AS from FROM refunds r WHERE r.order_id = $1`,
        [order],
      )
    ).rows[0]?.from;
  assert.equal(await from(goodwill.order_id), '2027-02-15 12:00:00+00');
  assert.equal(await from(undelivered.order_id), '2027-01-15 12:00:00+00');
  assert.equal(await from(outage.order_id), '2027-02-15 12:00:00+00');
  assert.equal(await from(ended.order_id), '2027-01-16 12:00:00+00');
  assert.equal(await from(broken.order_id), '2027-01-16 12:00:00+00');
  assert.equal(
    (await data('panel/details', { uuid: ended.uuid }, { token: ended.who.secret })).state,
    'cancelled',
  );
  assert.equal((await refund(ended.order_id, { end_service: true })).service.state, 'cancelled');
});

test('what was not paid cannot be refunded: a hold, a failed order, nothing, more than is left', async () => {
  const who = await site.customer(10_000n);
  const { order_id: held } = await site.order(who);
  assert.equal((await cannot('state_conflict', held)).current_state, 'pending');
  await pool.pg.query("UPDATE orders SET state = 'failed', closed_at = created_at WHERE id = $1", [held]);
  assert.equal((await cannot('state_conflict', held)).current_state, 'failed');
  const { order_id } = await licensed();
  await cannot('refund_exceeds_order', order_id, { amount: 4 });
  for (const amount of [0, -1, 0.001, 1e308]) await cannot('validation_failed', order_id, { amount });
  await cannot('not_found', '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11');
  const { rows } = await pool.pg.query('SELECT FROM refunds WHERE order_id = ANY($1)', [[held, order_id]]);
  assert.equal(rows.length, 0);
});

test('of operators at the same moment one refunds what is left, and the others find nothing', async () => {
  const { who, order_id } = await licensed();
  const input = { order_id, reason: 'Outage', basis: 'goodwill' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('staff/refund', input, staff)));
  assert.deepEqual(answers.map(({ body }) => body.error ?? 'refunded').toSorted(), [
    ...Array.from({ length: 7 }, () => 'refund_exceeds_order'),
    'refunded',
  ]);
  assert.equal(await site.balanceOf(who), 1_000n);
  assert.deepEqual(await site.booksProblems(), []);
});

test('any sequence of refunds ends with exactly the order’s money and tax', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 6 }), async (amounts) => {
      const { who, order_id } = await licensed();
      for (const amount of amounts) {
        await call('staff/refund', { order_id, amount: amount / 100, reason: 'x', basis: 'goodwill' }, staff);
      }
      await call('staff/refund', { order_id, reason: 'x', basis: 'goodwill' }, staff);
      const { rows } = await pool.pg.query(
        'SELECT sum(gross)::bigint AS gross, sum(tax)::bigint AS tax FROM refunds WHERE order_id = $1',
        [order_id],
      );
      assert.deepEqual(rows, [{ gross: 399n, tax: 64n }]);
      assert.equal(await site.balanceOf(who), 1_000n);
    }),
    { numRuns: 10 },
  );
  assert.deepEqual(await site.booksProblems(), []);
});

test('a refund into an account that owes pays what it owes first, and its floor rises with it', async () => {
  const { who, order_id } = await licensed();
  await data('staff/adjust-balance', { uuid: who.accountId, amount: -20, reason: 'Chargeback' }, staff);
  assert.equal((await refund(order_id)).balance, -10);
  const { rows } = await pool.pg.query('SELECT balance, floor FROM accounts WHERE id = $1', [who.accountId]);
  assert.deepEqual(rows, [{ balance: -1_000n, floor: -1_000n }]);
});
