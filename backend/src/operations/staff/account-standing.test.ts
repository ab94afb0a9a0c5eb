import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { pool } = fixture;
const { data, refused } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

const ORDER = { pack_uuid: LICENSE, duration: 1, duration_unit: 'month', tos: true, cancellation: true };

const eventsOf = async (accountId: string) =>
  (
    await pool.pg.query(
      "SELECT type, body FROM events WHERE account_id = $1 AND type <> 'account.transaction_booked' ORDER BY sequence",
      [accountId],
    )
  ).rows;

test('a suspended customer orders nothing, still reads, is told why, and orders again afterwards', async () => {
  const who = await fixture.customer(100_000n);
  const suspend = { uuid: who.accountId, reason: 'verification', note: 'Name differs' };
  await data('staff/account-suspend', suspend, staff);
  await refused('account_suspended', 'panel/order', ORDER, { token: who.secret });
  assert.equal((await data('account/session', {}, { token: who.secret })).account.state, 'suspended');
  const { state, suspension } = await data('staff/customer', { uuid: who.accountId }, staff);
  assert.deepEqual(
    [state, suspension.reason, suspension.note],
    ['suspended', 'verification', 'Name differs'],
  );
  // Again, with the same reason, nobody is told twice.
  await data('staff/account-suspend', { ...suspend, note: 'Still' }, staff);
  assert.equal((await data('staff/customer', { uuid: who.accountId }, staff)).suspension.note, 'Still');
  await data('staff/account-suspend', { ...suspend, reason: 'abuse' }, staff);
  await data('staff/account-unsuspend', { uuid: who.accountId }, staff);
  await data('staff/account-unsuspend', { uuid: who.accountId }, staff);
  assert.equal((await data('staff/customer', { uuid: who.accountId }, staff)).suspension, null);
  await data('panel/order', ORDER, { token: who.secret });
  assert.deepEqual(
    (await eventsOf(who.accountId)).slice(0, 3).map(({ type, body }) => [type, body.reason]),
    [
      ['account.suspended', 'verification'],
      ['account.suspended', 'abuse'],
      ['account.unsuspended', undefined],
    ],
  );
  const { rows } = await pool.pg.query(
    "SELECT template FROM mails WHERE account_id = $1 AND template LIKE 'account.%' ORDER BY id",
    [who.accountId],
  );
  assert.deepEqual(
    rows.map(({ template }) => template),
    ['account.suspended', 'account.suspended', 'account.unsuspended'],
  );
  const { operator_actions } = await data('staff/customer', { uuid: who.accountId }, staff);
  assert.equal(operator_actions[0].operation, 'staff/account-unsuspend');
});

test('a credit limit lets a customer go below zero, and taking it away takes nothing else', async () => {
  const who = await fixture.customer(0n);
  const limit = async (credit_limit: number) =>
    await data('staff/credit-limit', { uuid: who.accountId, credit_limit, reason: 'Pays by invoice' }, staff);
  await refused('insufficient_funds', 'panel/order', ORDER, { token: who.secret });
  const given = await limit(1_000);
  assert.deepEqual([given.credit_limit, given.available], [1_000, 1_000]);
  await data('panel/order', ORDER, { token: who.secret });
  const owing = await fixture.balanceOf(who);
  assert.ok(owing < 0n);
  const taken = await limit(0);
  assert.deepEqual([taken.credit_limit, taken.available], [0, Number(owing) / 100]);
  await refused('insufficient_funds', 'panel/order', ORDER, { token: who.secret });
  // The floor is exactly what is owed, and a credit raises it (rule B1).
  const floor = async () =>
    (await pool.pg.query('SELECT floor FROM accounts WHERE id = $1', [who.accountId])).rows[0].floor;
  assert.equal(await floor(), owing);
  await data(
    'staff/adjust-balance',
    { uuid: who.accountId, amount: Number(-owing) / 100, reason: 'Paid' },
    staff,
  );
  assert.equal(await floor(), 0n);
  assert.deepEqual(await fixture.booksProblems(), []);
  const changes = (await eventsOf(who.accountId)).filter(
    ({ type }) => type === 'account.credit_limit_changed',
  );
  assert.deepEqual(
    changes.map(({ body }) => [body.previous_minor, body.credit_limit_minor]),
    [
      [0, 100_000],
      [100_000, 0],
    ],
  );
});

test('people change their own name, language and time zone, and nobody else’s', async () => {
  const who = await fixture.customer(0n);
  const token = { token: who.secret };
  const wanted = { first_name: 'Grace', last_name: 'Hopper', locale: 'de', timezone: 'Europe/Vienna' };
  assert.deepEqual(await data('account/update', wanted, token), wanted);
  assert.deepEqual(await data('account/update', {}, token), wanted);
  const { account } = await data('account/session', {}, token);
  for (const [name, value] of Object.entries(wanted)) assert.equal(account[name], value);
  assert.deepEqual(await eventsOf(who.accountId), [
    {
      type: 'account.profile_changed',
      body: { user_uuid: who.userId, changed: ['first_name', 'last_name', 'locale', 'timezone'] },
    },
  ]);
  for (const bad of [{ locale: 'fr' }, { timezone: 'Mars/Olympus' }, { first_name: ' ' }, { email: 'a@b.c' }])
    await refused('validation_failed', 'account/update', bad, token);
});
