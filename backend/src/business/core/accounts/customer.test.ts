import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../../test/fixture.ts';
import { transaction } from '../../../db/transaction.ts';
import { createCustomer, createStaff, findCustomer, type PersonDraft } from './customer.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;

const person = (email: string): PersonDraft => ({
  email,
  passwordHash: null,
  firstName: 'Ada',
  lastName: 'Lovelace',
  locale: 'de',
  timezone: 'Europe/Berlin',
});
const customer = (email: string) =>
  transaction(pool, (tx) => createCustomer(tx, { ...person(email), currency: 'EUR' }, clock.now()));
const staff = (email: string) =>
  transaction(pool, (tx) => createStaff(tx, { ...person(email), staffRole: 'admin' }, clock.now()));

test('one address is one person, customer or operator, also when several ask at once', async () => {
  const outcomes = await Promise.all([
    ...Array.from({ length: 5 }, () => customer('ada@example.com')),
    ...Array.from({ length: 5 }, () => staff('ada@example.com')),
  ]);
  assert.equal(outcomes.filter((outcome) => outcome.kind === 'created').length, 1);
  const { rows } = await pool.pg.query(
    "SELECT count(*)::int AS users FROM users WHERE email = 'ada@example.com'",
  );
  assert.deepEqual(rows, [{ users: 1 }]);
  const { rows: orphans } = await pool.pg.query(
    'SELECT id FROM accounts a WHERE NOT EXISTS (SELECT FROM users u WHERE u.account_id = a.id)',
  );
  assert.deepEqual(orphans, []);
});

test('an operator finds a customer by address, uuid, number, or what stands before the @', async () => {
  const created = await customer('grace.hopper@example.com');
  if (created.kind !== 'created') assert.fail('the address is taken');
  for (const name of [
    'grace.hopper@example.com',
    'Grace.Hopper@Example.com',
    created.accountId,
    created.customerNumber,
    String(Number(created.customerNumber)),
    'grace.hopper',
  ]) {
    const found = await findCustomer(pool, name);
    assert.deepEqual(found, {
      account_id: created.accountId,
      user_id: created.userId,
      email: 'grace.hopper@example.com',
    });
  }
});

test('a name that nobody has, or more than one, finds nobody', async () => {
  await customer('linus@example.com');
  await customer('linus@example.org');
  for (const name of ['linus', 'lin', '', '%', '0', "x' OR true --", '@']) {
    assert.equal(await findCustomer(pool, name), null, name);
  }
  assert.equal((await findCustomer(pool, 'linus@example.org'))?.email, 'linus@example.org');
});
