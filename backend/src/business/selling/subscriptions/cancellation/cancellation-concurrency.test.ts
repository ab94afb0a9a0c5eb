// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, LICENSE } from '../../../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../../../test/requests.ts';
import { openServers } from '../../../../../test/servers.ts';
import life from '../renewal/lifecycle.job.ts';

const site = await openServers();
const { pool } = site;
const { call, data } = openRequests(site);
const staff = { token: await staffToken(site) };

const TIMES = 100;
const PAID = 399n;

/** Both paid for a month, both of a balance of 100.00 EUR. */
async function license(who: Customer) {
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true, auto_renew: true };
  const { license_uuid: uuid, order_id } = await data('panel/order', order, { token: who.secret });
  return { group: 'panel', uuid, order_id };
}
async function server(who: Customer) {
  const { server_uuid: uuid, order_id } = await site.order(who, { auto_renew: true });
  await site.work();
  return { group: 'server', uuid, order_id };
}

async function outcome(uuid: string, accountId: string) {
  const { rows } = await pool.pg.query<{
    state: string;
    balance: bigint;
    paid: bigint;
    refunded: bigint;
    over: number;
    orders: number;
    cancellations: number;
  }>(
    `SELECT s.state, a.balance,
       (SELECT sum(gross)::bigint FROM orders o WHERE o.service_id = s.id AND o.state = 'completed') AS paid,
       (SELECT coalesce(sum(r.gross), 0)::bigint FROM refunds r WHERE r.account_id = a.id) AS refunded,
       (SELECT count(*)::int FROM orders o WHERE o.service_id = s.id
          AND o.gross < (SELECT coalesce(sum(r.gross), 0) FROM refunds r WHERE r.order_id = o.id)) AS over,
       (SELECT count(*)::int FROM orders o WHERE o.service_id = s.id AND o.state = 'completed') AS orders,
       (SELECT count(*)::int FROM cancellations c WHERE c.service_id = s.id AND c.revoked_at IS NULL) AS cancellations
     FROM services s JOIN accounts a ON a.id = s.account_id WHERE s.id = $1 AND a.id = $2`,
    [uuid, accountId],
  );
  const [row] = rows;
  if (row === undefined) assert.fail('the service is gone');
  return row;
}

/** All at once; which of them is sent first changes from time to time. */
async function together<T>(time: number, rivals: readonly (() => Promise<T>)[]): Promise<T[]> {
  const first = time % rivals.length;
  const turned = [...rivals.slice(first), ...rivals.slice(0, first)];
  const answers = await Promise.all(turned.map((rival) => rival()));
  return [...answers.slice(rivals.length - first), ...answers.slice(0, rivals.length - first)];
}

for (const [name, make, times] of [
  ['license', license, TIMES],
  ['server', server, TIMES / 10],
] as const) {
  test(`withdrawal, renewal, refund and the sweep of one ${name} at the same instant add up, ${times} times`, async () => {
    const seen = new Set<string>();
    for (let time = 0; time < times; time += 1) {
      const who = await site.customer(10_000n);
      const sent = { token: who.secret };
      const { group, uuid, order_id } = await make(who);
      // Due for its renewal too.
      await pool.pg.query('UPDATE services SET due_at = $2 WHERE id = $1', [
        uuid,
        site.clock.now().toString(),
      ]);
      const confirmed = group === 'server' ? { confirm: 'web.example.com' } : {};
      const goodwill = { order_id, amount: 1.5, reason: 'Outage', basis: 'goodwill' };
      const [withdrawn, renewed, refunded] = await together(time, [
        () => call(`${group}/cancel`, { uuid, mode: 'withdraw', ...confirmed }, sent),
        () => call(`${group}/renew`, { uuid, duration: 1 }, sent),
        () => call('staff/refund', goodwill, staff),
        () => site.run(life).then(() => null),
      ]);
      assert.ok(withdrawn && renewed && refunded);
      const after = await outcome(uuid, who.accountId);
      assert.equal(withdrawn.status, 200, withdrawn.text);
      assert.deepEqual([after.state, after.cancellations], ['cancelled', 1]);
      // The renewal came before the withdrawal and was paid back, or after it and was refused.
      const won = renewed.status === 200;
      if (!won) assert.equal(renewed.body.error, 'state_conflict', renewed.text);
      assert.deepEqual([after.orders, after.paid], won ? [2, 2n * PAID] : [1, PAID]);
      // The operator's came before and left the rest to the withdrawal, or found nothing left.
      if (refunded.status !== 200) assert.equal(refunded.body.error, 'refund_exceeds_order', refunded.text);
      assert.deepEqual([after.refunded, after.over, after.balance], [after.paid, 0, 10_000n]);
      seen.add(`${won} ${refunded.status === 200}`);
    }
    assert.ok(seen.size > 1, 'they came in one order only: nothing was tried');
    await site.work();
    assert.deepEqual(await site.stockProblems(), []);
  });
}

test('of rivals that cancel one service at once, one does, and one refund is posted', async () => {
  for (let time = 0; time < 10; time += 1) {
    const who = await site.customer(10_000n);
    const { uuid } = await license(who);
    const answers = await Promise.all(
      ['withdraw', 'withdraw', 'immediate', 'end_of_term', 'withdraw'].map((mode) =>
        call('panel/cancel', { uuid, mode }, { token: who.secret }),
      ),
    );
    const after = await outcome(uuid, who.accountId);
    assert.deepEqual([after.state, after.cancellations, after.over], ['cancelled', 1, 0]);
    const ended = answers.filter(({ body }) => body.data?.state === 'cancelled');
    assert.equal(ended.length, 1);
    assert.equal(after.refunded, ended[0]?.body.data.mode === 'withdraw' ? PAID : 0n);
  }
  assert.deepEqual(await site.booksProblems(), []);
});
