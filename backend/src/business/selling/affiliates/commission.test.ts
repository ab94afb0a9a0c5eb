import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AffiliateTerms } from '../../core/catalog/schema/life.ts';
import { commissionLeft, commissionOn } from './commission.ts';

const terms = (commission: object, enabled = true) => AffiliateTerms.parse({ enabled, commission });

test('a share of the order without tax, rounded once', () => {
  assert.equal(commissionOn(terms({ type: 'percent', value: 10 }), 335n), 34n);
  assert.equal(commissionOn(terms({ type: 'percent', value: 12.5 }), 1_000n), 125n);
  assert.equal(commissionOn(terms({ type: 'percent', value: 10 }), 4n), 0n);
});

test('a fixed amount, but never more than the order brought in', () => {
  assert.equal(commissionOn(terms({ type: 'fixed', value: 5 }), 10_000n), 500n);
  assert.equal(commissionOn(terms({ type: 'fixed', value: 5 }), 335n), 335n);
});

test('nothing while the program is off', () => {
  assert.equal(commissionOn(terms({ type: 'percent', value: 10 }, false), 10_000n), 0n);
});

test('after a refund, the same proportion of what is left; all of it leaves nothing', () => {
  const commission = { amount: 100n, order_total: 1_000n };
  assert.equal(commissionLeft(commission, 1_000n), 100n);
  assert.equal(commissionLeft(commission, 335n), 34n);
  assert.equal(commissionLeft(commission, 4n), 0n);
  assert.equal(commissionLeft(commission, 0n), 0n);
});
