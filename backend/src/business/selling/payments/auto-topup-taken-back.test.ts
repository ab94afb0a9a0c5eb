import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import lowBalances from './low-balances.job.ts';
import { receiveWebhook } from './webhook.ts';

const servers = await openServers();
const { pool, clock, ports, payments } = servers;
const requests = openRequests(servers, { ports: ports as never });

async function paid(who: Customer): Promise<string> {
  const input = { amount: 20, method: 'sandbox', save_method: true };
  const begun = await requests.call('account/topup', input, { token: who.secret });
  await servers.work();
  const { uuid } = begun.body.data.payment;
  const { payment } = await requests.data('account/payment', { uuid }, { token: who.secret });
  const ref = payment.redirect_url.split('/').at(-1);
  await happens(ref, 'pay');
  return ref;
}

async function happens(ref: string, what: 'pay' | 'refund' | 'dispute' | 'win'): Promise<void> {
  const webhook = await payments.happen(ref, what);
  assert.ok(webhook);
  const receiving = { method: 'sandbox', provider: payments, now: clock.now(), log: servers.log };
  await receiveWebhook(pool, webhook, receiving);
  await servers.work();
}

async function automatic(who: Customer): Promise<number> {
  const { rows } = await pool.pg.query('SELECT FROM payments WHERE account_id = $1 AND automatic', [
    who.accountId,
  ]);
  return rows.length;
}

async function withAutoTopup(): Promise<Customer & { ref: string }> {
  const who = await servers.customer(0n);
  const ref = await paid(who);
  const { payment_methods } = await requests.data('account/payment-methods', {}, { token: who.secret });
  const auto_topup = { amount: 25, payment_method_uuid: payment_methods[0].uuid };
  await requests.data(
    'account/topup-settings',
    { low_balance_threshold: 10, auto_topup },
    { token: who.secret },
  );
  return { ...who, ref };
}

for (const what of ['refund', 'dispute'] as const) {
  test(`money that went back by a ${what} is not taken again by an automatic top-up`, async () => {
    const who = await withAutoTopup();
    await happens(who.ref, what);
    const before = clock.now();
    for (let hours = 0; hours <= 48; hours += 24) {
      clock.set(before.add({ hours }));
      await servers.run(lowBalances);
      await servers.work();
    }
    clock.set(before);
    assert.equal(await automatic(who), 0, 'the card was charged again');
    if (what === 'dispute') await happens(who.ref, 'win');
    else await paid(who);
    await servers.run(lowBalances);
    await servers.work();
    assert.deepEqual(await servers.booksProblems(), []);
  });
}
