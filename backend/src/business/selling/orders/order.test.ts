import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { parseWireTime } from '../../../base/time.ts';
import order from '../../../operations/panel/order.ts';
import renew from '../../../operations/panel/renew.ts';
import { type WriteOutcome, writeTogether } from '../../../wire/write.ts';

const fixture = await openFixture();
const { pool, customer, item, clock } = fixture;
const { call, data, refused } = openRequests(fixture);
const input = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

async function ordered(
  who: Customer,
): Promise<{ license_uuid: string; license_key: string; expire_at: string }> {
  return await data('panel/order', input, { token: who.secret });
}

function expiryOf(outcome: WriteOutcome | undefined): string {
  assert.equal(outcome?.kind, 'answered');
  return (outcome as unknown as { data: { expire_at: string } }).data.expire_at;
}

test('max_price lets its own price through and a cent less not, and a refusal shows a quote and books nothing', async () => {
  const who = await customer(10_000n);
  const { body } = await call('panel/order', { ...input, max_price: 3.98 }, { token: who.secret });
  assert.deepEqual([body.error, body.quote.gross, body.quote.quote_uuid], ['price_changed', 3.99, null]);
  assert.equal(await fixture.balanceOf(who), 10_000n);
  assert.equal(
    (await data('panel/order', { ...input, max_price: 3.99 }, { token: who.secret })).charged.gross,
    3.99,
  );
});

test("another account's quote is told apart by nothing from one that does not exist", async () => {
  const [owner, thief] = await Promise.all([customer(10_000n), customer(10_000n)]);
  const { quote } = await data('panel/order', { ...input, dry_run: true }, { token: owner.secret });
  const told = async (quote_uuid: string) => {
    const {
      request_id: _,
      instance: __,
      ...body
    } = await refused('quote_expired', 'panel/order', { ...input, quote_uuid }, { token: thief.secret });
    return body;
  };
  assert.deepEqual(await told(quote.quote_uuid), await told('01a1fb24-99cd-7740-8477-ef67f03756b3'));
});

test('a dry run uses up no money, no budget, no discount code and no key, and is not audited', async () => {
  const who = await customer(10_000n, { spendingLimit: 399n });
  await pool.pg.query(
    `INSERT INTO discount_codes (code, percent, max_uses, valid_from, created_at) VALUES ('ONLY', 1000, 1, '2026-01-01', '2026-01-01')`,
  );
  const sent = { token: who.secret, key: 'dry' };
  const dry = { ...input, discount_code: 'only' };
  for (let time = 0; time < 3; time += 1) {
    const { quote } = await data('panel/order', { ...dry, dry_run: true }, sent);
    assert.deepEqual([quote.gross, quote.balance_before, quote.balance_after], [3.59, 100, 96.41]);
  }
  const { rows } = await pool.pg.query(
    `SELECT (SELECT count(*)::int FROM idempotency_keys WHERE namespace = $1) AS keys,
       (SELECT count(*)::int FROM audit WHERE account_id = $1::uuid) AS audit,
       (SELECT count(*)::int FROM events WHERE account_id = $1::uuid AND type = 'order.paid') AS paid`,
    [who.accountId],
  );
  assert.deepEqual(rows, [{ keys: 0, audit: 0, paid: 0 }]);
  assert.equal((await data('panel/order', dry, sent)).charged.gross, 3.59);
  assert.equal(await fixture.balanceOf(who), 10_000n - 359n);
});

test('a suspended account orders, renews and quotes nothing, and its keys stay free', async () => {
  const who = await customer(10_000n);
  const { license_uuid: uuid } = await ordered(who);
  const setState = (state: string) =>
    pool.pg.query('UPDATE accounts SET state = $2 WHERE id = $1', [who.accountId, state]);
  const calls = [
    ['panel/order', input],
    ['panel/order', { ...input, dry_run: true }],
    ['panel/renew', { uuid, duration: 1 }],
  ] as const;
  for (const state of ['suspended', 'closed']) {
    await setState(state);
    for (const [path, given] of calls) {
      await refused('account_suspended', path, given, { token: who.secret, key: path });
    }
  }
  await setState('active');
  assert.equal(await fixture.balanceOf(who), 10_000n - 399n);
  await data('panel/renew', { uuid, duration: 1 }, { token: who.secret, key: 'panel/renew' });
});

test('renewals of a service that was off begin now, with their own anchor; in one batch each follows the last', async () => {
  const who = await customer(100_000n);
  clock.set(Temporal.Instant.from('2027-01-31T10:00:00Z'));
  const { license_uuid: uuid, expire_at } = await ordered(who);
  assert.equal(expire_at, '2027-02-28 10:00:00');
  clock.set(Temporal.Instant.from('2027-03-30T08:00:00Z'));
  await pool.pg.query("UPDATE services SET state = 'expired' WHERE id = $1", [uuid]);
  const outcomes = await writeTogether(
    pool,
    [1, 2, 1].map((duration) => item(renew, who, { uuid, duration })),
  );
  assert.deepEqual(outcomes.map(expiryOf), [
    '2027-04-30 08:00:00',
    '2027-06-30 08:00:00',
    '2027-07-30 08:00:00',
  ]);
  const { rows } = await pool.pg.query('SELECT state, anchor_day FROM services WHERE id = $1', [uuid]);
  assert.deepEqual(rows, [{ state: 'active', anchor_day: 30 }]);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('what has ended is never renewed, whatever it is called, and costs nothing', async () => {
  const who = await customer(10_000n);
  const { license_uuid: uuid } = await ordered(who);
  const before = await fixture.balanceOf(who);
  for (const state of ['cancelled', 'deleted', 'error', 'pending', 'provisioning', 'cancel_scheduled']) {
    await pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [uuid, state]);
    const body = await refused('state_conflict', 'panel/renew', { uuid, duration: 1 }, { token: who.secret });
    assert.equal(body.current_state, state);
  }
  assert.equal(await fixture.balanceOf(who), before);
});

test('a clock that goes back: entries stay in order, the chain holds, and no term is paid twice', async () => {
  const who = await customer(100_000n);
  clock.set(Temporal.Instant.from('2027-05-01T00:00:00Z'));
  const { license_uuid: uuid, expire_at } = await ordered(who);
  clock.set(Temporal.Instant.from('2027-04-30T23:00:00Z'));
  const [next] = await writeTogether(pool, [item(renew, who, { uuid, duration: 1 })]);
  await writeTogether(pool, [item(order, who, input)]);
  assert.equal(parseWireTime(expiryOf(next))?.toString(), '2027-07-01T00:00:00Z', expire_at);
  const { rows } = await pool.pg.query<{ ordered: boolean; dense: boolean }>(
    `SELECT bool_and(created_at >= before) IS NOT FALSE AS ordered, count(*) = max(seq) AS dense
     FROM (SELECT seq, created_at, lag(created_at) OVER (ORDER BY seq) AS before FROM ledger_entries WHERE account_id = $1) e`,
    [who.accountId],
  );
  assert.deepEqual(rows, [{ ordered: true, dense: true }]);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('a license key is nowhere in the database in clear, nor in its answers that are kept', async () => {
  const who = await customer(10_000n);
  const token = who.secret;
  const { license_uuid: uuid, license_key: key } = await data('panel/order', input, { token, key: 'k1' });
  await data('panel/renew', { uuid, duration: 1 }, { token, key: 'k2' });
  await data('panel/bind-ip', { uuid, ip_address: '192.0.2.9' }, { token, key: 'k3' });
  await data('panel/validate', { license_key: key, ip_address: '192.0.2.9', nonce: '0123456789' });
  const { rows: tables } = await pool.pg.query<{ name: string }>(
    `SELECT format('public.%I', relname) AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  assert.ok(tables.length > 20);
  const needles = [key, who.secret].flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
  for (const { name } of tables) {
    const { rows } = await pool.pg.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    for (const { text } of rows) {
      for (const needle of needles) assert.equal(text.includes(needle), false, name);
    }
  }
});
