import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE, openFixture } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { applies, type Discount, normalizeCode } from './discount.ts';

const now = Temporal.Instant.from('2027-01-15T12:00:00Z');
const use = { product: 'license', item: LICENSE, accountId: randomUUID() };
const open: Discount = {
  code: 'OPEN',
  percent: 1_000,
  cycles: 1,
  products: null,
  items: null,
  accountId: null,
  validFrom: now,
  validUntil: null,
  usesPerAccount: null,
  usesLeft: null,
  usedBy: new Map(),
};
const good = (change: Partial<Discount>) => applies({ ...open, ...change }, use, now);

test('a code without limits is good for anybody and anything', () => {
  assert.ok(good({}));
});

test('a code is good from its first moment to just before its last', () => {
  assert.ok(!good({ validFrom: now.add({ seconds: 1 }) }));
  assert.ok(good({ validUntil: now.add({ seconds: 1 }) }));
  assert.ok(!good({ validUntil: now }));
});

test('products and packages restrict a code, both together', () => {
  assert.ok(good({ products: ['server', 'license'] }));
  assert.ok(!good({ products: ['server'] }));
  assert.ok(good({ items: [DEAR_LICENSE, LICENSE] }));
  assert.ok(!good({ items: [DEAR_LICENSE] }));
  assert.ok(!good({ products: ['server'], items: [LICENSE] }));
  assert.ok(!good({ products: [], items: null }));
});

test('a personal code is good for its owner alone', () => {
  assert.ok(good({ accountId: use.accountId }));
  assert.ok(!good({ accountId: randomUUID() }));
});

test('uses run out, in all and for each customer', () => {
  assert.ok(good({ usesLeft: 1 }));
  assert.ok(!good({ usesLeft: 0 }));
  assert.ok(good({ usesPerAccount: 2, usedBy: new Map([[use.accountId, 1]]) }));
  assert.ok(!good({ usesPerAccount: 2, usedBy: new Map([[use.accountId, 2]]) }));
  assert.ok(good({ usesPerAccount: 1, usedBy: new Map([[randomUUID(), 1]]) }));
});

test('how a code is written does not matter, and an empty one is none', () => {
  assert.equal(normalizeCode('  Spring25 '), 'SPRING25');
  assert.equal(normalizeCode('  '), null);
  assert.equal(normalizeCode(undefined), null);
});

test("in an order, another customer's code and another package's are refused like one that does not exist", async () => {
  const fixture = await openFixture();
  const { data, refused } = openRequests(fixture);
  const owner = await fixture.customer(10_000n);
  const other = await fixture.customer(10_000n);
  const column = { percent: 5_000, valid_from: now, created_at: now };
  await fixture.pool.kysely
    .insertInto('discount_codes')
    .values([
      { ...column, code: 'MINE', account_id: owner.accountId },
      { ...column, code: 'DEAR-ONLY', items: [DEAR_LICENSE] },
    ])
    .execute();
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  const attempt = async (code: string, token: string) => {
    const body = await refused(
      'discount_code_invalid',
      'panel/order',
      { ...order, discount_code: code },
      { token },
    );
    const { request_id, instance, ...told } = body;
    return told;
  };
  const unknown = await attempt('NO-SUCH', other.secret);
  assert.deepEqual(await attempt('MINE', other.secret), unknown);
  assert.deepEqual(await attempt('DEAR-ONLY', other.secret), unknown);
  const { charged } = await data('panel/order', { ...order, discount_code: 'mine' }, { token: owner.secret });
  assert.deepEqual([charged.gross, charged.discount > 0], [2, true]);
});
