import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

test('an adjustment is an entry that the customer reads, with its reason', async () => {
  const customer = await fixture.customer(1_000n);
  const answer = await data(
    'staff/adjust-balance',
    { uuid: customer.accountId, amount: -12.5, reason: ' Refunded twice ' },
    staff,
  );
  assert.deepEqual(
    [answer.amount, answer.balance, answer.available, answer.currency],
    [-12.5, -2.5, -2.5, 'EUR'],
  );
  const { transactions } = await data('account/transactions', {}, { token: customer.secret });
  const [row] = transactions;
  assert.equal(row.uuid, answer.transaction_uuid);
  assert.deepEqual(
    [row.type, row.direction, row.amount, row.description],
    ['adjustment', 'debit', 12.5, 'Refunded twice'],
  );
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('money that came in is a top-up', async () => {
  const { accountId, secret } = await fixture.customer(0n);
  const request = { uuid: accountId, amount: 50, reason: 'Transfer of 3 January', paid_by: 'bank' };
  await data('staff/adjust-balance', request, staff);
  const { transactions } = await data('account/transactions', {}, { token: secret });
  assert.deepEqual([transactions[0].type, transactions[0].payment_method], ['topup', 'bank']);
});

test('one key books once, however often and at once it is sent', async () => {
  const { accountId } = await fixture.customer(0n);
  const request = { uuid: accountId, amount: 7, reason: 'once' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call('staff/adjust-balance', request, { ...staff, key: 'once' })),
  );
  const texts = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.text));
  assert.equal(texts.size, 1, answers.map((answer) => answer.text).join('\n'));
  const { rows } = await fixture.pool.pg.query('SELECT balance FROM accounts WHERE id = $1', [accountId]);
  assert.equal(rows[0].balance, 700n);
});

test('operators and the customer at once: everything is booked, nothing is lost', async () => {
  const customer = await fixture.customer(10_000n);
  const adjust = () =>
    call('staff/adjust-balance', { uuid: customer.accountId, amount: 0.01, reason: 'x' }, staff);
  const create = () => call('account/token-create', { name: 'x', scopes: ['*'] }, { token: customer.secret });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? adjust() : create())),
  );
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  const { rows } = await fixture.pool.pg.query('SELECT balance FROM accounts WHERE id = $1', [
    customer.accountId,
  ]);
  assert.equal(rows[0].balance, 10_010n);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('amounts that are none, and accounts that are not there, book nothing', async () => {
  const { accountId } = await fixture.customer(0n);
  const wrong = [
    { amount: 0 },
    { amount: 0.001 },
    { amount: 1e308 },
    { amount: '5' },
    { amount: -5, paid_by: 'bank' },
    { amount: 5, paid_by: 'magic' },
    { amount: 5, reason: ' ' },
  ];
  for (const change of wrong) {
    const request = { uuid: accountId, reason: 'wrong', ...change };
    await refused('validation_failed', 'staff/adjust-balance', request, staff);
  }
  const nobody = { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', amount: 5, reason: 'nobody' };
  await refused('not_found', 'staff/adjust-balance', nobody, staff);
  const { rows } = await fixture.pool.pg.query('SELECT ledger_seq FROM accounts WHERE id = $1', [accountId]);
  assert.equal(rows[0].ledger_seq, 0n);
});

test('a customer cannot', async () => {
  const { accountId, secret } = await fixture.customer(0n);
  const request = { uuid: accountId, amount: 1_000_000, reason: 'rich' };
  await refused('operation_not_found', 'staff/adjust-balance', request, { token: secret });
});
