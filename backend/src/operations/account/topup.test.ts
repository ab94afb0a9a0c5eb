import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import { referencesIn } from '../../business/selling/payments/reference.ts';
import start from '../../business/selling/payments/start.job.ts';
import { receiveWebhook } from '../../business/selling/payments/webhook.ts';

const servers = await openServers();
const { pool, clock, ports, payments } = servers;
const requests = openRequests(servers, { ports: ports as never });

const begin = async (token: string, input: object, key?: string) =>
  await requests.call(
    'account/topup',
    { amount: 25, method: 'sandbox', ...input },
    { token, ...(key && { key }) },
  );

const count = async (table: string, accountId: string): Promise<number> =>
  Number(
    (await pool.pg.query(`SELECT count(*) FROM ${table} WHERE account_id = $1`, [accountId])).rows[0]?.count,
  );

test('a top-up is begun by a task, paid on the page, and then on the balance', async () => {
  const who = await servers.customer(0n);
  const answer = await begin(who.secret, { return_url: 'https://hostkeep.example/balance?tab=1' });
  assert.equal(answer.status, 202);
  const { payment, task } = answer.body.data;
  assert.deepEqual([payment.state, payment.redirect_url, task.state], ['pending', null, 'queued']);
  await servers.work();
  const shown = (await requests.data('account/payment', { uuid: payment.uuid }, { token: who.secret }))
    .payment;
  assert.match(shown.redirect_url, /^https:\/\/hostkeep\.example\/sandbox\/pay\/sp_/);
  const ref = shown.redirect_url.split('/').at(-1);
  assert.equal(
    (await payments.find(ref))?.return_url,
    `https://hostkeep.example/balance?tab=1&payment=${payment.uuid}`,
  );
  const webhook = await payments.happen(ref, 'pay');
  assert.ok(webhook);
  const receiving = { method: 'sandbox', provider: payments, now: clock.now(), log: servers.log };
  assert.equal((await receiveWebhook(pool, webhook, receiving)).kind, 'received');
  const paid = (await requests.data('account/payment', { uuid: payment.uuid }, { token: who.secret }))
    .payment;
  assert.deepEqual([paid.state, paid.received, paid.redirect_url], ['succeeded', 25, null]);
  assert.equal(await servers.balanceOf(who), 25_00n);
  const listed = await requests.data('account/payments', { state: 'succeeded' }, { token: who.secret });
  assert.deepEqual([listed.pagination.total, listed.payments[0].uuid], [1, payment.uuid]);
  const [entry] = (await requests.data('account/transactions', {}, { token: who.secret })).transactions;
  assert.deepEqual(
    [entry.type, entry.payment_method, entry.reference.uuid],
    ['topup', 'sandbox', payment.uuid],
  );
});

test('with Prefer: wait the answer has the page', async () => {
  const who = await servers.customer(0n);
  const waiting = requests.call(
    'account/topup',
    { amount: 25, method: 'sandbox' },
    { token: who.secret, headers: { prefer: 'wait=10' } },
  );
  const begun = async () => (await count('payments', who.accountId)) === 1;
  while (!(await begun()));
  await servers.work();
  const answer = await waiting;
  assert.equal(answer.status, 200);
  assert.match(answer.body.data.payment.redirect_url, /\/sandbox\/pay\/sp_/);
});

test('one Idempotency-Key begins one payment, also twenty times at once', async () => {
  const who = await servers.customer(0n);
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => begin(who.secret, {}, key)));
  assert.equal(new Set(answers.map((answer) => answer.body.data.payment.uuid)).size, 1);
  await servers.work();
  assert.equal(await count('payments', who.accountId), 1);
});

test('a crash between the provider and the commit opens no second page', async () => {
  const who = await servers.customer(0n);
  const { payment } = (await begin(who.secret, {})).body.data;
  const payload = { payment_id: payment.uuid };
  const crashing = { ...start, finish: () => Promise.reject(new Error('crashed')) } as typeof start;
  await assert.rejects(servers.run(crashing, payload), /crashed/);
  const opened = async () =>
    (await pool.pg.query('SELECT ref FROM sandbox.payments WHERE payment_id = $1', [payment.uuid])).rows;
  const [first] = await opened();
  assert.ok(first, 'the provider has begun it');
  await servers.run(start, payload);
  await servers.run(start, payload);
  assert.deepEqual(await opened(), [first]);
  const { rows } = await pool.pg.query('SELECT provider_ref, state FROM payments WHERE id = $1', [
    payment.uuid,
  ]);
  assert.deepEqual(rows, [{ provider_ref: first.ref, state: 'pending' }]);
});

test('a page that could not be opened in half a day is given up', async () => {
  const who = await servers.customer(0n);
  const { payment } = (await begin(who.secret, {})).body.data;
  const now = clock.now();
  clock.set(now.add({ hours: 13 }));
  await servers.work();
  const shown = (await requests.data('account/payment', { uuid: payment.uuid }, { token: who.secret }))
    .payment;
  clock.set(now);
  assert.deepEqual([shown.state, shown.failure], ['cancelled', 'not_started']);
});

test('a transfer is answered with how to make it', async () => {
  const bank = openRequests(servers, {
    ports: {
      ...ports,
      payment: {
        ...ports.payment,
        transferInstructions: async (order: object) => ({
          ...order,
          iban: 'DE02120300000000202051',
          bic: null,
          bank: null,
          beneficiary: 'Example Hosting GmbH',
          epcQr: null,
        }),
      },
    } as never,
  });
  const who = await servers.customer(0n);
  const { payment, task } = await bank.data(
    'account/topup',
    { amount: 49.9, method: 'bank' },
    { token: who.secret },
  );
  assert.equal(task, null);
  assert.deepEqual(referencesIn(payment.instructions.reference), [payment.instructions.reference]);
  assert.deepEqual([payment.instructions.amount, payment.instructions.currency], [49.9, 'EUR']);
  assert.equal(payment.expires_at, '2027-03-16 12:00:00');
  const again = await bank.data('account/payment', { uuid: payment.uuid }, { token: who.secret });
  assert.deepEqual(again.payment.instructions, payment.instructions);
});

test('amounts that are none, and those out of bounds, begin nothing', async () => {
  const who = await servers.customer(0n);
  for (const amount of [0, -5, 1e308, 10.005, 4.99, 5000.01, 1e-7, '10', null, [10]]) {
    const answer = await begin(who.secret, { amount });
    assert.equal(answer.body.error, 'validation_failed', `${amount}`);
    assert.equal(answer.body.errors[0].pointer, '/amount', `${amount}`);
  }
  for (const text of ['NaN', 'Infinity']) {
    const answer = await requests.runner.run({
      operation: (await import('./topup.ts')).default,
      ip: '192.0.2.1',
      query: '',
      body: Buffer.from(`{"amount":${text},"method":"sandbox"}`),
      header: (name) => (name === 'authorization' ? `Bearer ${who.secret}` : undefined),
    });
    assert.equal(answer.status, 400, text);
  }
  assert.equal(await count('payments', who.accountId), 0);
});

test('nobody is sent to another site after paying', async () => {
  const who = await servers.customer(0n);
  for (const url of [
    'https://evil.example/',
    'https://hostkeep.example.evil.example/',
    'https://hostkeep.example@evil.example/',
    'https://user@hostkeep.example/',
    'http://hostkeep.example/',
    'javascript:alert(1)',
    '//evil.example/',
  ]) {
    const answer = await begin(who.secret, { return_url: url });
    assert.equal(answer.body.error, 'validation_failed', url);
  }
});

test("another's payment is not found", async () => {
  const [who, other] = [await servers.customer(0n), await servers.customer(0n)];
  const { payment } = (await begin(who.secret, {})).body.data;
  await requests.refused('not_found', 'account/payment', { uuid: payment.uuid }, { token: other.secret });
});
