import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { clock } = fixture;
const { data, refused } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

const CREDIT = { kind: 'credit', value: 25, description: 'Spring fair' };
const DISCOUNT = { kind: 'discount', value: 12.5, description: 'Newsletter' };
const create = async (input: object) => await data('staff/voucher-create', input, staff);
const codesOf = (made: { vouchers: { code: string }[] }) => made.vouchers.map(({ code }) => code);
const listed = async (filter: object = {}) => (await data('staff/vouchers', filter, staff)).vouchers;

test('vouchers are made by the thousand, each with a code of its own that is shown once', async () => {
  const made = await create({ ...CREDIT, count: 1000 });
  assert.equal(new Set(codesOf(made)).size, 1000);
  const { vouchers, ...told } = made;
  assert.deepEqual(told, {
    type: 'credit',
    value: 25,
    product_types: null,
    currency: 'EUR',
    description: 'Spring fair',
    expires_at: null,
    created_at: '2027-01-15 12:00:00',
  });
  const { rows } = await fixture.pool.pg.query('SELECT json_agg(v)::text AS everything FROM vouchers v');
  const kept = rows[0].everything;
  assert.deepEqual(
    codesOf(made).filter((code) => kept.includes(code) || kept.includes(code.replaceAll('-', ''))),
    [],
  );
  await fixture.pool.pg.query('DELETE FROM vouchers');
});

test('they are listed by what became of them, with the tail of the code only', async () => {
  const start = clock.now();
  const soon = '2027-01-15 13:00:00';
  const [open, redeemed, revoked, expired] = await Promise.all([
    create(CREDIT),
    create({ ...DISCOUNT, products: ['server'] }),
    create({ ...CREDIT, currency: 'CHF' }),
    create({ ...CREDIT, expires_at: soon }),
  ]);
  const customer = await fixture.customer(0n);
  const sent = { token: customer.secret };
  await data('account/redeem-voucher', { code: codesOf(redeemed)[0] }, sent);
  const { uuid } = revoked.vouchers[0];
  await data('staff/voucher-revoke', { uuid }, staff);
  clock.set(start.add({ hours: 1 }));
  const states = { open, redeemed, revoked, expired };
  for (const [state, made] of Object.entries(states)) {
    const found = await listed({ state });
    assert.deepEqual(
      found.map((voucher: { uuid: string }) => voucher.uuid),
      [made.vouchers[0].uuid],
      state,
    );
    assert.equal(found[0].tail, codesOf(made)[0]?.slice(-4));
    assert.deepEqual(await listed({ search: found[0].tail.toLowerCase(), state }), found);
  }
  const [used] = await listed({ state: 'redeemed' });
  assert.deepEqual(
    [used.redeemed_by, used.type, used.value, used.product_types, used.currency, used.transaction_uuid],
    [customer.accountId, 'discount', 12.5, ['server'], null, null],
  );
  assert.match(used.discount_code, /^GIFT-/);
  assert.equal((await listed()).length, 4);
  assert.deepEqual((await data('staff/vouchers', { per_page: 3, page: 2 }, staff)).pagination, {
    page: 2,
    per_page: 3,
    total: 4,
    total_pages: 2,
  });
  clock.set(start);
});

test('a revoked voucher is worth nothing, revoking twice is revoking once, and a redeemed one stays redeemed', async () => {
  const made = await create(CREDIT);
  const { uuid, code } = made.vouchers[0];
  const start = clock.now();
  const first = await data('staff/voucher-revoke', { uuid }, staff);
  clock.set(start.add({ hours: 1 }));
  assert.deepEqual(await data('staff/voucher-revoke', { uuid }, staff), first);
  clock.set(start);
  const customer = { token: (await fixture.customer(0n)).secret };
  await refused('voucher_not_found', 'account/redeem-voucher', { code }, customer);
  const other = (await create(CREDIT)).vouchers[0];
  await data('account/redeem-voucher', { code: other.code }, customer);
  const refusal = await refused('state_conflict', 'staff/voucher-revoke', { uuid: other.uuid }, staff);
  assert.equal(refusal.current_state, 'redeemed');
  await refused('not_found', 'staff/voucher-revoke', { uuid: randomUUID() }, staff);
});

test('redeeming and revoking at once: one of both', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { uuid, code } = (await create(CREDIT)).vouchers[0];
    const customer = await fixture.customer(0n);
    const ip = `203.0.113.${round}`;
    const { call } = openRequests(fixture);
    const [redeemed, revoked] = await Promise.all([
      call('account/redeem-voucher', { code }, { token: customer.secret, ip }),
      call('staff/voucher-revoke', { uuid }, staff),
    ]);
    const outcome = [redeemed.status, revoked.status].join();
    assert.ok(outcome === '200,409' || outcome === '404,200', outcome);
    assert.equal(await fixture.balanceOf(customer), outcome === '200,409' ? 2_500n : 0n);
  }
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('what makes no sense of a voucher is refused, and points to where', async () => {
  const wrong: [object, string][] = [
    [{ ...CREDIT, products: ['server'] }, '/products'],
    [{ ...CREDIT, currency: 'JPY' }, '/currency'],
    [{ ...CREDIT, currency: 'eur' }, '/currency'],
    [{ ...CREDIT, value: 0 }, '/value'],
    [{ ...CREDIT, value: 1.005 }, '/value'],
    [{ ...CREDIT, value: -5 }, '/value'],
    [{ ...DISCOUNT, value: 100.01 }, '/value'],
    [{ ...DISCOUNT, currency: 'EUR' }, '/currency'],
    [{ ...DISCOUNT, products: [] }, '/products'],
    [{ ...DISCOUNT, products: ['mail'] }, '/products/0'],
    [{ ...CREDIT, expires_at: '2027-01-15 12:00:00' }, '/expires_at'],
    [{ ...CREDIT, expires_at: '2027-02-30 12:00:00' }, '/expires_at'],
    [{ ...CREDIT, count: 0 }, '/count'],
    [{ ...CREDIT, count: 1001 }, '/count'],
    [{ ...CREDIT, description: '  ' }, '/description'],
    [{ ...CREDIT, kind: 'gift' }, '/kind'],
  ];
  for (const [input, pointer] of wrong) {
    const { errors } = await refused('validation_failed', 'staff/voucher-create', input, staff);
    assert.deepEqual(
      errors.map((problem: { pointer: string }) => problem.pointer),
      [pointer],
      JSON.stringify(input),
    );
  }
});

test('customers make and see none', async () => {
  const { secret: token } = await fixture.customer(0n);
  await refused('operation_not_found', 'staff/voucher-create', CREDIT, { token });
  await refused('operation_not_found', 'staff/vouchers', {}, { token });
});
