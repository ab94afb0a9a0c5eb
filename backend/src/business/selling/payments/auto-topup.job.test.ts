import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Customer } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { timeTravel } from '../../../../test/time-travel.ts';
import { transaction } from '../../../db/transaction.ts';
import { adjustBalance } from '../../core/accounts/adjust.ts';
import autoTopup from './auto-topup.job.ts';
import charge from './charge.job.ts';
import lowBalances from './low-balances.job.ts';
import pending from './pending.job.ts';
import { receiveWebhook } from './webhook.ts';

const servers = await openServers();
const { pool, clock, ports, payments } = servers;
const life = timeTravel(servers);
const requests = openRequests(servers, { ports: ports as never });

/** A customer who has paid 20.00 by a card that was kept. */
async function withCard(): Promise<Customer & { methodId: string }> {
  const who = await servers.customer(0n);
  const input = { amount: 20, method: 'sandbox', save_method: true };
  const begun = await requests.call('account/topup', input, { token: who.secret });
  await servers.work();
  const { payment } = await requests.data(
    'account/payment',
    { uuid: begun.body.data.payment.uuid },
    { token: who.secret },
  );
  const webhook = await payments.happen(payment.redirect_url.split('/').at(-1), 'pay');
  assert.ok(webhook);
  const receiving = { method: 'sandbox', provider: payments, now: clock.now(), log: servers.log };
  await receiveWebhook(pool, webhook, receiving);
  const { payment_methods } = await requests.data('account/payment-methods', {}, { token: who.secret });
  return { ...who, methodId: payment_methods[0].uuid };
}

const settings = (who: Customer & { methodId: string }, threshold: number, amount: number) =>
  requests.data(
    'account/topup-settings',
    {
      low_balance_threshold: threshold,
      auto_topup: { amount, payment_method_uuid: who.methodId },
    },
    { token: who.secret },
  );

const spend = (who: Customer, amount: bigint) =>
  transaction(pool, (tx) =>
    adjustBalance(tx, who.accountId, { amount: -amount, reason: 'Spent' }, clock.now()),
  );

/** What the ledger enqueues when a balance falls below its threshold, and all that follows. */
async function falls(who: Customer): Promise<void> {
  await servers.run(autoTopup, { account_id: who.accountId });
  await servers.work();
}

async function automatic(who: Customer): Promise<string[]> {
  const { rows } = await pool.pg.query<{ state: string }>(
    'SELECT state FROM payments WHERE account_id = $1 AND automatic ORDER BY created_at, id',
    [who.accountId],
  );
  return rows.map((row) => row.state);
}

async function mailed(who: Customer): Promise<string[]> {
  const { rows } = await pool.pg.query<{ template: string }>(
    'SELECT template FROM mails WHERE account_id = $1 ORDER BY created_at, template',
    [who.accountId],
  );
  return rows.map((row) => row.template).filter((template) => template !== 'payment.received');
}

const lowEvents = async (who: Customer): Promise<number> =>
  (
    await pool.pg.query("SELECT FROM events WHERE account_id = $1 AND type = 'account.balance_low'", [
      who.accountId,
    ])
  ).rows.length;

test('a balance that falls below its threshold is told once and topped up once, however often that is noticed', async () => {
  const who = await withCard();
  await settings(who, 10, 25);
  await spend(who, 15_00n);
  await Promise.all(Array.from({ length: 5 }, () => servers.run(autoTopup, { account_id: who.accountId })));
  await falls(who);
  assert.deepEqual(await automatic(who), ['succeeded']);
  assert.equal(await servers.balanceOf(who), 30_00n);
  assert.deepEqual(await mailed(who), ['account.balance-low']);
  assert.equal(await lowEvents(who), 1);
  await spend(who, 25_00n);
  await falls(who);
  assert.deepEqual(
    await mailed(who),
    ['account.balance-low', 'account.balance-low'],
    'it fell a second time',
  );
  assert.equal(await servers.balanceOf(who), 30_00n);
  assert.deepEqual(await servers.booksProblems(), []);
});

test('a debit that takes two weeks, as SEPA’s may, is not drawn a second time meanwhile', async () => {
  const who = await withCard();
  const begun = clock.now();
  await settings(who, 10, 50.17); // the sandbox leaves such an amount open
  await spend(who, 15_00n);
  await falls(who);
  for (const days of [7, 9, 20]) {
    clock.set(begun.add({ hours: days * 24 }));
    await servers.run(pending);
    await servers.run(lowBalances);
    await servers.work();
    assert.deepEqual(await automatic(who), ['pending'], `after ${days} days`);
  }
  clock.set(begun);
});

test('three a day, and on the next day again', async () => {
  const who = await withCard();
  await settings(who, 100, 5);
  const before = clock.now();
  await servers.work();
  for (let times = 0; times < 5; times += 1) await falls(who);
  assert.equal((await automatic(who)).length, 3);
  clock.set(before.add({ hours: 24 }));
  await servers.run(lowBalances);
  await servers.work();
  assert.equal((await automatic(who)).length, 4);
  clock.set(before);
});

test('what is declined is told, and not tried again before the next day', async () => {
  const who = await withCard();
  await settings(who, 10, 30.13);
  await spend(who, 15_00n);
  const before = clock.now();
  for (let times = 0; times < 3; times += 1) await falls(who);
  assert.deepEqual(await automatic(who), ['failed']);
  assert.deepEqual(await mailed(who), ['account.balance-low', 'payment.failed']);
  await servers.run(lowBalances);
  await servers.work();
  assert.deepEqual(await automatic(who), ['failed']);
  clock.set(before.add({ hours: 24 }));
  await servers.run(lowBalances);
  await servers.work();
  assert.deepEqual(await automatic(who), ['failed', 'failed']);
  clock.set(before);
});

test('while one is under way, there is no other', async () => {
  const who = await withCard();
  await settings(who, 10, 30.17);
  await spend(who, 15_00n);
  for (let times = 0; times < 3; times += 1) await falls(who);
  assert.deepEqual(await automatic(who), ['pending']);
});

test('a crash between the charge and its commit charges once', async () => {
  const who = await withCard();
  await settings(who, 10, 25);
  await spend(who, 15_00n);
  await servers.run(autoTopup, { account_id: who.accountId });
  const { rows } = await pool.pg.query<{ id: string }>(
    'SELECT id FROM payments WHERE account_id = $1 AND automatic',
    [who.accountId],
  );
  const payload = { payment_id: rows[0]?.id };
  const crashing = { ...charge, finish: () => Promise.reject(new Error('crashed')) } as typeof charge;
  await assert.rejects(servers.run(crashing, payload), /crashed/);
  await servers.run(charge, payload);
  await servers.work();
  assert.equal(await servers.balanceOf(who), 30_00n);
  const charged = await pool.pg.query('SELECT FROM sandbox.payments WHERE payment_id = $1', [rows[0]?.id]);
  assert.equal(charged.rows.length, 1);
});

test('a renewal that the money does not reach for is saved by a top-up, though the balance is above the threshold', async () => {
  const who = await withCard();
  await settings(who, 2, 20);
  const id = await life.license(who);
  await spend(who, 20_00n - 399n - 300n);
  const before = clock.now();
  await servers.work();
  assert.deepEqual(await automatic(who), []);
  clock.set((await life.service(id)).expire_at.subtract({ hours: 20 }));
  // However often it is tried before the money is there.
  for (let times = 0; times < 3; times += 1) await life.sweep();
  await servers.work();
  await servers.live();
  assert.deepEqual(await automatic(who), ['succeeded']);
  assert.equal((await life.charges(id)).length, 2);
  assert.equal(await servers.balanceOf(who), 300n + 20_00n - 399n);
  // Nothing is unpaid any more.
  await falls(who);
  assert.deepEqual(await automatic(who), ['succeeded']);
  clock.set(before);
});

test('a suspended account, of which nothing is renewed, is not topped up for its renewals', async () => {
  const who = await withCard();
  await settings(who, 2, 20);
  const id = await life.license(who);
  await spend(who, 20_00n - 399n - 300n);
  const before = clock.now();
  await servers.work();
  await pool.pg.query("UPDATE accounts SET state = 'suspended' WHERE id = $1", [who.accountId]);
  clock.set((await life.service(id)).expire_at);
  await life.sweep();
  await falls(who);
  assert.deepEqual(await automatic(who), []);
  clock.set(before);
});

test('a card that is removed is charged no more, and its provider forgets it', async () => {
  const who = await withCard();
  await settings(who, 10, 25);
  const remove = { uuid: who.methodId };
  const first = await requests.data('account/payment-method-remove', remove, { token: who.secret });
  assert.deepEqual(
    await requests.data('account/payment-method-remove', remove, { token: who.secret }),
    first,
  );
  await servers.work();
  const listed = await requests.data('account/payment-methods', {}, { token: who.secret });
  assert.deepEqual(listed.payment_methods, []);
  assert.deepEqual(listed.settings, { low_balance_threshold: 10, auto_topup: null });
  await spend(who, 15_00n);
  await falls(who);
  assert.deepEqual(await automatic(who), []);
  const { rows } = await pool.pg.query(
    `SELECT s.removed FROM sandbox.payment_methods s JOIN payment_methods m ON m.provider_ref = s.ref WHERE m.id = $1`,
    [who.methodId],
  );
  assert.deepEqual(rows, [{ removed: true }]);
});

test('settings that cannot work are refused', async () => {
  const [who, other] = [await withCard(), await withCard()];
  const refuse = (input: object) =>
    requests.refused('validation_failed', 'account/topup-settings', input, { token: who.secret });
  const own = { amount: 20, payment_method_uuid: who.methodId };
  await refuse({ low_balance_threshold: null, auto_topup: own });
  await refuse({ low_balance_threshold: 5, auto_topup: { ...own, payment_method_uuid: other.methodId } });
  await refuse({ low_balance_threshold: 5, auto_topup: { ...own, payment_method_uuid: randomUUID() } });
  await refuse({ low_balance_threshold: 5, auto_topup: { ...own, amount: 1 } });
  await refuse({ low_balance_threshold: -5, auto_topup: null });
  await refuse({ low_balance_threshold: 1.005, auto_topup: null });
});
