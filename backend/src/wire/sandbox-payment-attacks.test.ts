// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';

const harness = await openHarness();

test('no reference, however it is written, is a fault of ours', async () => {
  for (const ref of ['%00', 'sp_%00', '%ff', '%ED%A0%80', '..%2f', 'x'.repeat(9000), "'", '%F0%9F%92%A9']) {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await harness.client.send({
        method,
        path: `/sandbox/pay/${ref}`,
        headers: method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' && { body: 'answer=pay' }),
      });
      assert.ok(answer.status < 500, `${method} ${ref.slice(0, 20)}: ${answer.status}`);
    }
  }
  assert.deepEqual(harness.logged, []);
});

test('who pays while their account is busy is asked to come again, and pays once', async () => {
  const as = await harness.customer(0n);
  const headers = { prefer: 'wait=20' };
  const { payment } = await harness.data('account/topup', {
    as,
    input: { amount: 25, method: 'sandbox' },
    headers,
  });
  const { pathname: path } = new URL(payment.redirect_url);
  const pay = ({ client }: Pick<typeof harness, 'client'>) =>
    client.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'answer=pay',
    });
  const impatient = await harness.impatient();
  const client = await harness.pool.pg.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [as.accountId]);
  const busy = await pay(impatient);
  await client.query('ROLLBACK');
  client.release();
  assert.equal(busy.status, 409, busy.text);
  for (let times = 0; times < 2; times += 1) assert.equal((await pay(harness)).status, 303);
  assert.equal((await harness.data('account/balance', { as })).balance, 25);
});
