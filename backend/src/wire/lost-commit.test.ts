import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { cases as licenses } from '../../test/cases/panel.ts';
import { cases as servers } from '../../test/cases/server.ts';
import { openHarness } from '../../test/harness.ts';
import { HttpClient } from '../../test/http-client.ts';
import { lossyProxy } from '../../test/lossy-proxy.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { serve } from '../serve.ts';

const SETTLE_WITHIN_MS = 200;
/** For what is settled: longer than any pause of a busy machine. */
const PATIENT_MS = 240_000;

const closing: (() => Promise<void>)[] = [];
// Before the harness's own, which drops the database.
after(async () => {
  for (const close of closing.toReversed()) await close();
});
const site = await openHarness();
const proxy = await lossyProxy(site.installation.directUrl);

/** The program without a worker, so that every COMMIT is a request's. */
async function door(settleWithinMs: number) {
  const writePool = new Pool({
    url: proxy.url,
    size: 3,
    name: 'test-lossy',
    role: APPLICATION_ROLE,
    lockTimeoutMs: PATIENT_MS,
    settleWithinMs,
  });
  closing.push(() => writePool.end());
  const running = await serve({ ...site.installation, writePool }, null);
  closing.push(() => running.stop());
  const client = new HttpClient(running.address);
  closing.push(async () => client.close());
  return client;
}
const impatient = await door(SETTLE_WITHIN_MS);
const patient = await door(PATIENT_MS);

/** An order by a customer of its own: its requests through a door, always with the same key, and what they came to. */
async function ordering(path: 'panel/order' | 'server/order') {
  const prepared = await { ...licenses, ...servers }[path]?.succeeds(site);
  const { as, input } = prepared ?? {};
  assert.ok(as);
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${as.token}`,
    'idempotency-key': randomUUID(),
  };
  const book = async () => {
    const { rows } = await site.pool.pg.query<{ left: bigint; orders: string[]; gross: bigint }>(
      `SELECT a.balance - a.reserved AS left, coalesce(sum(o.gross), 0)::bigint AS gross,
         array_remove(array_agg(o.id::text), NULL) AS orders
       FROM accounts a LEFT JOIN orders o ON o.account_id = a.id WHERE a.id = $1 GROUP BY a.id`,
      [as.accountId],
    );
    const [row] = rows;
    assert.ok(row);
    return row;
  };
  const { left } = await book();
  return {
    async sent(client: HttpClient) {
      const body = JSON.stringify(input);
      const received = await client.send({ method: 'POST', path: `/api/v2/${path}`, headers, body });
      return { ...received, body: JSON.parse(received.text) };
    },
    /** One order, and its price taken once. */
    async chargedOnce(orderId: string) {
      const after = await book();
      assert.deepEqual(after.orders, [orderId]);
      assert.ok(after.gross > 0n);
      assert.equal(after.left, left - after.gross);
    },
  };
}

for (const path of ['panel/order', 'server/order'] as const)
  for (const lose of ['before', 'after'] as const) {
    const what = `${path}: a COMMIT lost ${lose} it took effect`;

    test(`${what}, is answered as unknown while nothing can be proven, and the same key decides`, async () => {
      const order = await ordering(path);
      Object.assign(proxy.state, { lose, closesThen: true });
      const unknown = await order.sent(impatient);
      assert.deepEqual([unknown.status, unknown.body.error], [504, 'outcome_unknown'], unknown.text);
      // Others are told that the database is away: of theirs nothing was done.
      const other = await (await ordering(path)).sent(impatient);
      assert.deepEqual([other.status, other.body.error], [503, 'backend_unavailable'], other.text);
      Object.assign(proxy.state, { closed: false, closesThen: false });
      const repeated = await order.sent(impatient);
      assert.ok(repeated.status === 200 || repeated.status === 202, repeated.text);
      assert.equal(repeated.headers['idempotent-replayed'], lose === 'after' ? 'true' : undefined);
      if (lose === 'after') assert.equal(unknown.body.order_id, repeated.body.data.order_id);
      await order.chargedOnce(repeated.body.data.order_id);
      assert.equal((await order.sent(impatient)).text, repeated.text);
      await order.chargedOnce(repeated.body.data.order_id);
    });

    test(`${what}, and settled, is no concern of the customer's`, async () => {
      const order = await ordering(path);
      proxy.state.lose = lose;
      const answer = await order.sent(patient);
      assert.ok(answer.status === 200 || answer.status === 202, answer.text);
      assert.equal(proxy.state.lose, null);
      await order.chargedOnce(answer.body.data.order_id);
    });
  }

test('what was rolled back twice is answered as not done', async () => {
  const order = await ordering('server/order');
  Object.assign(proxy.state, { lose: 'before', times: 2 });
  const refused = await order.sent(patient);
  assert.deepEqual([refused.status, refused.body.error], [503, 'backend_unavailable'], refused.text);
  assert.equal(proxy.state.lose, null);
  const repeated = await order.sent(patient);
  assert.equal(repeated.status, 202, repeated.text);
  assert.equal(repeated.headers['idempotent-replayed'], undefined);
  await order.chargedOnce(repeated.body.data.order_id);
});
