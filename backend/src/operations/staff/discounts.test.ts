import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { clock } = fixture;
const { data, refused } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

const create = async (input: object) => await data('staff/discount-create', input, staff);
const codes = async (filter: object = {}) =>
  (await data('staff/discounts', filter, staff)).discounts.map(({ code }: { code: string }) => code);

test('a code is made as it is asked for, and is told back whole', async () => {
  const { accountId } = await fixture.customer(0n);
  const asked = {
    code: ' spring-25 ',
    percent: 12.5,
    products: ['license', 'server'],
    items: [LICENSE],
    cycles: 0,
    max_uses: 3,
    max_uses_per_account: 2,
    valid_from: '2027-02-01 00:00:00',
    valid_until: '2027-03-01 00:00:00',
    customer_uuid: accountId,
    note: 'for the fair',
  };
  const told = {
    ...asked,
    code: 'SPRING-25',
    uses: 0,
    state: 'scheduled',
    created_at: '2027-01-15 12:00:00',
  };
  assert.deepEqual(await create(asked), told);
  assert.deepEqual((await data('staff/discounts', { search: 'fair' }, staff)).discounts, [told]);
  assert.deepEqual(await codes({ customer_uuid: accountId }), ['SPRING-25']);
});

test('without limits it is good for everybody, at once, for one term', async () => {
  assert.deepEqual(await create({ code: 'PLAIN', percent: 10 }), {
    code: 'PLAIN',
    percent: 10,
    products: null,
    items: null,
    cycles: 1,
    max_uses: null,
    max_uses_per_account: null,
    uses: 0,
    valid_from: '2027-01-15 12:00:00',
    valid_until: null,
    customer_uuid: null,
    note: '',
    state: 'active',
    created_at: '2027-01-15 12:00:00',
  });
});

test('uses are counted by orders, and the state follows', async () => {
  const customer = { token: (await fixture.customer(10_000n)).secret };
  await create({ code: 'TWICE', percent: 50, max_uses: 2 });
  const state = async () => {
    const [{ uses, state }] = (await data('staff/discounts', { search: 'TWICE' }, staff)).discounts;
    return [uses, state];
  };
  await data('panel/order', { ...order, discount_code: 'twice' }, customer);
  assert.deepEqual(await state(), [1, 'active']);
  await data('panel/order', { ...order, discount_code: 'twice' }, customer);
  assert.deepEqual(await state(), [2, 'used_up']);
  await refused('discount_code_invalid', 'panel/order', { ...order, discount_code: 'twice' }, customer);
  assert.deepEqual(await codes({ state: 'used_up' }), ['TWICE']);
});

test('an ended code is good for nothing, and ends once', async () => {
  const customer = { token: (await fixture.customer(10_000n)).secret };
  await create({ code: 'ENDS', percent: 50, valid_until: '2027-06-01 00:00:00' });
  const start = clock.now();
  const ended = await data('staff/discount-end', { code: 'ends' }, staff);
  assert.deepEqual([ended.state, ended.valid_until], ['ended', '2027-01-15 12:00:00']);
  clock.set(start.add({ hours: 1 }));
  assert.deepEqual(await data('staff/discount-end', { code: 'ENDS' }, staff), ended);
  clock.set(start);
  await refused('discount_code_invalid', 'panel/order', { ...order, discount_code: 'ENDS' }, customer);
  await refused('not_found', 'staff/discount-end', { code: 'NO-SUCH' }, staff);
});

test('a code for one package is for no other', async () => {
  const customer = { token: (await fixture.customer(10_000n)).secret };
  await create({ code: 'DEAR', percent: 50, items: [DEAR_LICENSE] });
  await refused('discount_code_invalid', 'panel/order', { ...order, discount_code: 'DEAR' }, customer);
  const dear = { ...order, pack_uuid: DEAR_LICENSE, discount_code: 'DEAR' };
  assert.equal((await data('panel/order', dear, customer)).charged.gross, 25);
});

test('one code is made once, also when several make it at the same time', async () => {
  const { call } = openRequests(fixture);
  const made = await Promise.all(
    Array.from({ length: 5 }, () => call('staff/discount-create', { code: 'RACE', percent: 5 }, staff)),
  );
  assert.deepEqual(made.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
});

test('what makes no sense of a code is refused, and points to where', async () => {
  const good = { code: 'GOOD', percent: 10 };
  const wrong: [object, string][] = [
    [{ ...good, code: 'ab' }, '/code'],
    [{ ...good, code: 'with space' }, '/code'],
    [{ ...good, percent: 0 }, '/percent'],
    [{ ...good, percent: 100.5 }, '/percent'],
    [{ ...good, percent: 3.333 }, '/percent'],
    [{ ...good, cycles: 37 }, '/cycles'],
    [{ ...good, items: ['x'] }, '/items/0'],
    [{ ...good, products: [] }, '/products'],
    [{ ...good, max_uses: 0 }, '/max_uses'],
    [{ ...good, valid_until: '2027-01-15 12:00:00' }, '/valid_until'],
    [{ ...good, valid_from: '2027-03-01 00:00:00', valid_until: '2027-02-01 00:00:00' }, '/valid_until'],
    [{ ...good, valid_from: '2027-02-30 00:00:00' }, '/valid_from'],
    [{ ...good, customer_uuid: randomUUID() }, '/customer_uuid'],
  ];
  for (const [input, pointer] of wrong) {
    const { errors } = await refused('validation_failed', 'staff/discount-create', input, staff);
    assert.deepEqual(
      errors.map((problem: { pointer: string }) => problem.pointer),
      [pointer],
      JSON.stringify(input),
    );
  }
  assert.deepEqual(await codes({ search: 'GOOD' }), []);
});
