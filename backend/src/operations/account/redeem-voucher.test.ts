import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { newVoucher } from '../../../test/vouchers.ts';
import { newVoucherCode } from '../../business/selling/vouchers/code.ts';
import type { VoucherDraft } from '../../business/selling/vouchers/create.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;
const { call, data, refused } = openRequests(fixture);
const REDEEM = 'account/redeem-voucher';

const QUARTER: VoucherDraft['worth'] = { kind: 'discount', percent: 2_500, products: ['license'] };
const voucher = (draft: Partial<VoucherDraft> = {}) => newVoucher(pool, clock.now(), draft);

async function stored(id: string) {
  return await pool.kysely.selectFrom('vouchers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
const as = (customer: Customer) => ({ token: customer.secret });

test('a credit goes to the balance, once, with an entry, an event and the voucher that names both', async () => {
  const customer = await fixture.customer(500n);
  const { id, code } = await voucher();
  const written = code.toLowerCase().replaceAll('-', ' ');
  const answer = await data(REDEEM, { code: written }, as(customer));
  const { transaction_uuid, ...told } = answer;
  assert.deepEqual(told, {
    voucher: { type: 'credit', value: 10, product_types: null, description: 'Spring fair' },
    credited: 10,
    balance: 15,
    currency: 'EUR',
    redeemed_at: '2027-01-15 12:00:00',
  });
  assert.equal(await fixture.balanceOf(customer), 1_500n);
  const row = await stored(id);
  assert.deepEqual([row.redeemed_by, row.entry_id], [customer.accountId, transaction_uuid]);
  const [entry] = (await data('account/transactions', {}, as(customer))).transactions;
  assert.deepEqual(
    [entry.uuid, entry.type, entry.direction, entry.amount, entry.description],
    [transaction_uuid, 'voucher', 'credit', 10, 'Spring fair'],
  );
  const events = await pool.kysely
    .selectFrom('events')
    .select('body')
    .where('account_id', '=', customer.accountId)
    .where('type', '=', 'account.voucher_redeemed')
    .execute();
  assert.deepEqual(
    events.map(({ body }) => body),
    [{ voucher_uuid: id, type: 'credit', transaction_uuid, discount_code: null }],
  );
  await refused('voucher_already_redeemed', REDEEM, { code }, as(customer));
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('fifty customers redeem one code at once: one is credited, forty-nine are told that it is redeemed', async () => {
  const customers = await Promise.all(Array.from({ length: 50 }, () => fixture.customer(0n)));
  const { code } = await voucher();
  const answers = await Promise.all(
    customers.map((customer, index) => call(REDEEM, { code }, { ...as(customer), ip: `203.0.113.${index}` })),
  );
  const errors = answers.map(({ status, body }) => (status === 200 ? 'credited' : body.error)).sort();
  assert.deepEqual(errors, ['credited', ...Array(49).fill('voucher_already_redeemed')]);
  const balances = await Promise.all(customers.map((customer) => fixture.balanceOf(customer)));
  assert.equal(
    balances.reduce((sum, balance) => sum + balance, 0n),
    1_000n,
  );
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('the same Idempotency-Key gets the same answer and credits once', async () => {
  const customer = await fixture.customer(0n);
  const { code } = await voucher();
  const first = await call(REDEEM, { code }, { ...as(customer), key: 'once' });
  const second = await call(REDEEM, { code }, { ...as(customer), key: 'once' });
  assert.deepEqual([first.status, second.text], [200, first.text]);
  assert.equal(await fixture.balanceOf(customer), 1_000n);
});

test('credit raises the floor of an account that owes, by no more than it pays back', async () => {
  const customer = await fixture.customer(0n);
  await pool.pg.query('UPDATE accounts SET balance = -1500, floor = -1500 WHERE id = $1', [
    customer.accountId,
  ]);
  const { code } = await voucher();
  assert.equal((await data(REDEEM, { code }, as(customer))).balance, -5);
  const { rows } = await pool.pg.query('SELECT floor FROM accounts WHERE id = $1', [customer.accountId]);
  assert.deepEqual(rows, [{ floor: -500n }]);
  await pool.pg.query('UPDATE accounts SET balance = 1000, floor = 0 WHERE id = $1', [customer.accountId]);
});

test('a discount becomes a code for its customer alone, good for one order of its products', async () => {
  const customer = await fixture.customer(10_000n);
  const other = await fixture.customer(10_000n);
  const { id, code } = await voucher({ worth: QUARTER });
  const { voucher: told, ...rest } = await data(REDEEM, { code }, as(customer));
  const { discount_code } = await stored(id);
  assert.match(discount_code ?? '', /^GIFT-\w{8}$/);
  assert.deepEqual(told, {
    type: 'discount',
    value: 25,
    product_types: ['license'],
    description: `Spring fair (discount code: ${discount_code})`,
  });
  assert.deepEqual([rest.credited, rest.balance, rest.transaction_uuid], [0, 100, null]);
  const ordered = { ...order, discount_code };
  await refused('discount_code_invalid', 'panel/order', ordered, as(other));
  const { charged } = await data('panel/order', ordered, as(customer));
  assert.equal(charged.gross, 2.99, '3.99 less a quarter');
  await refused('discount_code_invalid', 'panel/order', ordered, as(customer));
  await refused('voucher_already_redeemed', REDEEM, { code }, as(other));
});

test('the personal code ends when the voucher would have', async () => {
  const customer = await fixture.customer(10_000n);
  const start = clock.now();
  const { id, code } = await voucher({ worth: QUARTER, expiresAt: start.add({ hours: 1 }) });
  await data(REDEEM, { code }, as(customer));
  const { discount_code } = await stored(id);
  clock.set(start.add({ hours: 1 }));
  await refused('discount_code_invalid', 'panel/order', { ...order, discount_code }, as(customer));
  clock.set(start);
});

test('unknown, malformed and revoked codes are told apart by nothing', async () => {
  const customer = await fixture.customer(0n);
  const { id, code } = await voucher();
  await pool.pg.query('UPDATE vouchers SET revoked_at = $2 WHERE id = $1', [id, clock.now().toString()]);
  const answers = [];
  for (const written of [newVoucherCode(), '----', '    ', "' OR 1=1 --", '💥💥💥💥', code]) {
    const { request_id, instance, ...told } = await refused(
      'voucher_not_found',
      REDEEM,
      { code: written },
      as(customer),
    );
    answers.push(told);
  }
  for (const told of answers) assert.deepEqual(told, answers[0]);
});

test('an expired voucher is gone from its very moment on; redeemed goes before expired', async () => {
  const customer = await fixture.customer(0n);
  const start = clock.now();
  const expiresAt = start.add({ seconds: 1 });
  const [late, early] = [await voucher({ expiresAt }), await voucher({ expiresAt })];
  await data(REDEEM, { code: early.code }, as(customer));
  clock.set(expiresAt);
  await refused('voucher_expired', REDEEM, { code: late.code }, as(customer));
  await refused('voucher_already_redeemed', REDEEM, { code: early.code }, as(customer));
  clock.set(start);
});

test('money of another currency is refused and stays redeemable', async () => {
  const customer = await fixture.customer(0n);
  const { id, code } = await voucher({
    worth: { kind: 'credit', amount: 1_000n, currency: 'CHF' },
  });
  await refused('voucher_not_applicable', REDEEM, { code }, as(customer));
  assert.equal((await stored(id)).redeemed_at, null);
});

test('a suspended account redeems nothing', async () => {
  const customer = await fixture.customer(0n);
  const { id, code } = await voucher();
  await pool.pg.query("UPDATE accounts SET state = 'suspended' WHERE id = $1", [customer.accountId]);
  await refused('account_suspended', REDEEM, { code }, as(customer));
  assert.equal((await stored(id)).redeemed_at, null);
});

test('ten attempts of an account in a quarter of an hour, wherever from: then even the right code is refused', async () => {
  const customer = await fixture.customer(0n);
  const { code } = await voucher();
  const start = clock.now();
  const attempt = (written: string, ip: string) => call(REDEEM, { code: written }, { ...as(customer), ip });
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await attempt('WRONG-CODE', `198.51.100.${count}`)).status, 404);
  }
  const limited = await attempt(code, '198.51.100.99');
  assert.deepEqual([limited.status, limited.body.error], [429, 'rate_limited']);
  assert.equal(limited.headers['retry-after'], String(limited.body.retry_after));
  clock.set(start.add({ minutes: 15 }));
  assert.equal((await attempt(code, '198.51.100.99')).status, 200);
  clock.set(start);
});

test('sixty attempts of all accounts of one network', async () => {
  const statuses = [];
  for (let account = 0; account < 7; account += 1) {
    const customer = await fixture.customer(0n);
    for (let count = 0; count < 9; count += 1) {
      const ip = `2001:db8:7::${count}`;
      statuses.push((await call(REDEEM, { code: 'WRONG-CODE' }, { ...as(customer), ip })).status);
    }
  }
  assert.deepEqual(statuses, [...Array(60).fill(404), ...Array(3).fill(429)]);
});

test('input of every other kind is refused as such, without counting an attempt', async () => {
  const customer = await fixture.customer(0n);
  const bad = [
    'abc',
    '',
    'x'.repeat(65),
    7,
    null,
    true,
    ['DEMO'],
    { code: 'DEMO' },
    'a\u0000bcd',
    '\ud800abc',
  ];
  for (const code of bad) await refused('validation_failed', REDEEM, { code }, as(customer));
  for (const input of [{}, { code: 'ABCD', uuid: 'x' }]) {
    await refused('validation_failed', REDEEM, input, as(customer));
  }
  const { code } = await voucher();
  await data(REDEEM, { code }, as(customer));
});

test('the audit and the stored answers do not show a code', async () => {
  const customer = await fixture.customer(0n);
  const { code } = await voucher();
  await data(REDEEM, { code }, { ...as(customer), key: 'audited' });
  const { rows } = await pool.pg.query(
    'SELECT (SELECT json_agg(a) FROM audit a)::text || (SELECT json_agg(v) FROM vouchers v)::text AS everything',
  );
  assert.ok(!rows[0].everything.includes(code));
});
