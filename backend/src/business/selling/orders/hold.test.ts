import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../../test/fixture.ts';
import { openServers } from '../../../../test/servers.ts';
import { transaction } from '../../../db/transaction.ts';
import { lockAccounts, newUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { captureHold, captureHolds, releaseHold, releaseHolds } from './hold.ts';

const site = await openServers();
const { pool, clock } = site;

type Close =
  | typeof captureHolds
  | ((...args: Parameters<typeof captureHolds>) => ReturnType<typeof releaseHolds>);
const release: Close = (tx, uow, ids) => releaseHolds(tx, uow, ids, 'a test');

/** Closes holds as a job does: accounts locked, changes sent, committed. */
async function close(who: readonly Customer[], orderIds: readonly string[], how: Close): Promise<string[]> {
  return await transaction(pool, async (tx) => {
    const accounts = await lockAccounts(
      tx,
      who.map((customer) => customer.accountId),
    );
    const uow = newUnitOfWork(clock.now(), accounts);
    const closed = await how(tx, uow, orderIds);
    await uow.changes.send(tx);
    return [...closed];
  });
}

async function money(who: Customer) {
  const { rows } = await pool.pg.query<{ balance: bigint; reserved: bigint; entries: bigint }>(
    `SELECT balance, reserved, (SELECT count(*) FROM ledger_entries e WHERE e.account_id = a.id AND kind = 'order') AS entries
     FROM accounts a WHERE id = $1`,
    [who.accountId],
  );
  return rows[0];
}

async function orderState(orderId: string) {
  const { rows } = await pool.pg.query<{ state: string; failure: string | null; hold: string }>(
    'SELECT o.state, o.failure, h.state AS hold FROM orders o JOIN holds h ON h.order_id = o.id WHERE o.id = $1',
    [orderId],
  );
  return rows[0];
}

test('a hold captured twice is one entry, with the id that was fixed when the money was held', async () => {
  const who = await site.customer(10_000n);
  const { order_id, transaction_uuid } = await site.order(who);
  assert.deepEqual(await money(who), { balance: 10_000n, reserved: 399n, entries: 0n });
  assert.deepEqual(await close([who], [order_id], captureHolds), [order_id]);
  assert.deepEqual(await close([who], [order_id], captureHolds), []);
  assert.deepEqual(await money(who), { balance: 9_601n, reserved: 0n, entries: 1n });
  assert.deepEqual(await orderState(order_id), { state: 'completed', failure: null, hold: 'captured' });
  const { rows } = await pool.pg.query('SELECT id FROM ledger_entries WHERE order_id = $1', [order_id]);
  assert.deepEqual(rows, [{ id: transaction_uuid }]);
  assert.deepEqual(await site.booksProblems(), []);
});

test('a hold released twice gives its money back once and posts nothing', async () => {
  const who = await site.customer(10_000n);
  const { order_id } = await site.order(who);
  assert.deepEqual(await close([who], [order_id], release), [order_id]);
  assert.deepEqual(await close([who], [order_id], release), []);
  assert.deepEqual(await money(who), { balance: 10_000n, reserved: 0n, entries: 0n });
  assert.deepEqual(await orderState(order_id), { state: 'failed', failure: 'a test', hold: 'released' });
  const { rows } = await pool.pg.query(
    "SELECT body FROM events WHERE account_id = $1 AND type = 'order.failed'",
    [who.accountId],
  );
  assert.deepEqual(rows, [{ body: { order_id, gross_minor: 399, currency: 'EUR' } }]);
  assert.deepEqual(await site.booksProblems(), []);
});

test('what was closed one way cannot be closed the other', async () => {
  const who = await site.customer(10_000n);
  const [captured, released] = [await site.order(who), await site.order(who)];
  await close([who], [captured.order_id], captureHolds);
  await close([who], [released.order_id], release);
  assert.deepEqual(await close([who], [captured.order_id], release), []);
  assert.deepEqual(await close([who], [released.order_id], captureHolds), []);
  assert.deepEqual(await money(who), { balance: 9_601n, reserved: 0n, entries: 1n });
});

test('of a capture and a release at the same time exactly one happens', async () => {
  for (let round = 0; round < 10; round += 1) {
    const who = await site.customer(10_000n);
    const { order_id } = await site.order(who);
    const closed = await Promise.all([
      close([who], [order_id], captureHolds),
      close([who], [order_id], release),
      close([who], [order_id], captureHolds),
      close([who], [order_id], release),
    ]);
    assert.deepEqual(closed.flat(), [order_id]);
  }
  assert.deepEqual(await site.booksProblems(), []);
});

test('holds of several accounts are closed by one call', async () => {
  const customers = await Promise.all([site.customer(10_000n), site.customer(10_000n)]);
  const orders: string[] = [];
  for (const who of [...customers, ...customers]) orders.push((await site.order(who)).order_id);
  assert.deepEqual((await close(customers, orders, captureHolds)).sort(), orders.sort());
  for (const who of customers) {
    assert.deepEqual(await money(who), { balance: 9_202n, reserved: 0n, entries: 2n });
  }
  assert.deepEqual(await site.booksProblems(), []);
});

test('an unknown order, and one of an account that is not locked, is not closed', async () => {
  const [who, other] = await Promise.all([site.customer(10_000n), site.customer(10_000n)]);
  const { order_id } = await site.order(who);
  assert.deepEqual(await close([who], ['00000000-0000-4000-8000-000000000000'], captureHolds), []);
  await assert.rejects(close([other], [order_id], captureHolds), /not locked/);
  assert.equal((await orderState(order_id))?.hold, 'open');
});

test('one hold is closed as many are, and the answer is whether it was open', async () => {
  const who = await site.customer(10_000n);
  const { order_id } = await site.order(who);
  await transaction(pool, async (tx) => {
    const uow = newUnitOfWork(clock.now(), await lockAccounts(tx, [who.accountId]));
    assert.equal(await captureHold(tx, uow, order_id), true);
    await uow.changes.send(tx);
    assert.equal(await captureHold(tx, uow, order_id), false);
    assert.equal(await releaseHold(tx, uow, order_id, 'too late'), false);
  });
});

test('a released order gives back its discount code and its token’s budget of the day', async () => {
  await pool.pg.query(
    `INSERT INTO discount_codes (code, percent, max_uses, valid_from, created_at) VALUES ('ONCE', 1000, 1, '2026-01-01', '2026-01-01')`,
  );
  const who = await site.customer(10_000n, { spendingLimit: 400n });
  const first = await site.order(who, { discount_code: 'ONCE' });
  await assert.rejects(site.order(who, { discount_code: 'ONCE' }), { code: 'discount_code_invalid' });
  await assert.rejects(site.order(who), { code: 'spending_limit_exceeded' });
  await close([who], [first.order_id], release);
  const again = await site.order(who, { discount_code: 'ONCE' });
  await close([who], [again.order_id], captureHolds);
  const { rows } = await pool.pg.query(
    `SELECT uses, (SELECT count(*) FROM discount_uses) AS rows, (SELECT spent FROM tokens WHERE id = $1) AS spent
     FROM discount_codes WHERE code = 'ONCE'`,
    [who.tokenId],
  );
  assert.deepEqual(rows, [{ uses: 1, rows: 1n, spent: 359n }]);
});
