import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RunningOrder } from '../../orders/refund.ts';
import { noWithdrawal, unusedOf, withdrawalEnd } from './withdrawal.ts';

const at = (text: string) => Temporal.Instant.from(text);

test('the right ends with the fourteenth day after the day of the order, as days are where the seller is', () => {
  const end = (orderedAt: string, zone: string) => withdrawalEnd(at(orderedAt), zone).toString();
  // At whatever hour of its day the order was made.
  assert.equal(end('2027-01-14T23:00:00Z', 'Europe/Berlin'), '2027-01-29T23:00:00Z');
  assert.equal(end('2027-01-15T22:59:59Z', 'Europe/Berlin'), '2027-01-29T23:00:00Z');
  assert.equal(end('2027-01-15T23:00:00Z', 'Europe/Berlin'), '2027-01-30T23:00:00Z');
  assert.equal(end('2027-01-15T22:59:59Z', 'UTC'), '2027-01-30T00:00:00Z');
  // Over the change to summer time a day is an hour shorter: not fourteen times 24 hours.
  assert.equal(end('2027-03-20T12:00:00Z', 'Europe/Berlin'), '2027-04-03T22:00:00Z');
  // Over a leap day.
  assert.equal(end('2028-02-20T12:00:00Z', 'UTC'), '2028-03-06T00:00:00Z');
});

test('consumers may withdraw until the last moment of the period, where the operator grants it', () => {
  const orderedAt = at('2027-01-15T12:00:00Z');
  const facts = { policy: 'pro_rata', business: false, orderedAt, timezone: 'UTC', now: orderedAt } as const;
  const end = withdrawalEnd(orderedAt, 'UTC');
  assert.equal(noWithdrawal(facts), null);
  assert.equal(noWithdrawal({ ...facts, now: end.subtract({ nanoseconds: 1 }) }), null);
  assert.equal(noWithdrawal({ ...facts, now: end }), 'period_over');
  assert.equal(noWithdrawal({ ...facts, business: true }), 'business');
  assert.equal(noWithdrawal({ ...facts, policy: 'none' }), 'not_granted');
  assert.equal(noWithdrawal({ ...facts, orderedAt: null }), 'period_over');
});

const order = (change: Partial<RunningOrder> = {}): RunningOrder => ({
  id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
  account_id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
  product: 'server',
  service_id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b13',
  state: 'completed',
  description: '',
  gross: 1_000n,
  tax: 160n,
  tax_rate: 1900,
  period_from: at('2027-01-01T00:00:00Z'),
  period_to: at('2027-01-31T00:00:00Z'),
  refunded_gross: 0n,
  refunded_tax: 0n,
  given_back: 0n,
  ...change,
});

test('what is paid back is the unused share of the term, rounded up once', () => {
  const due = (now: string, change: Partial<RunningOrder> = {}) => unusedOf(order(change), at(now)).gross;
  assert.equal(due('2027-01-01T00:00:00Z'), 1_000n);
  assert.equal(due('2027-01-16T00:00:00Z'), 500n);
  assert.equal(due('2027-01-11T00:00:00Z'), 667n);
  assert.equal(due('2027-01-01T00:00:00.000000001Z'), 1_000n);
  assert.equal(due('2027-01-31T00:00:00Z'), 0n);
  assert.equal(due('2027-05-01T00:00:00Z'), 0n);
  // Bought in advance: nothing of it was used.
  assert.equal(due('2026-12-24T00:00:00Z'), 1_000n);
  // Part of it was given back already.
  assert.equal(due('2027-01-16T00:00:00Z', { refunded_gross: 700n }), 300n);
  assert.equal(due('2027-01-16T00:00:00Z', { state: 'pending' }), 0n);
  // Of what was given back already, a part was for the rest of the term.
  assert.equal(due('2027-01-16T00:00:00Z', { refunded_gross: 400n, given_back: 200n }), 300n);
  assert.equal(due('2027-01-16T00:00:00Z', { refunded_gross: 600n, given_back: 501n }), 0n);
});

test('at every moment it is exact to less than a cent, in the customer’s favour, and never grows', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10_000_000n }),
      fc.integer({ min: 0, max: 2_592_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (gross, used, more) => {
        const from = at('2027-01-01T00:00:00Z');
        const due = (seconds: number) => unusedOf(order({ gross }), from.add({ seconds })).gross;
        const [now, then] = [due(used), due(used + more)];
        const exact = gross * BigInt(2_592_000 - used);
        assert.ok(now * 2_592_000n >= exact && (now - 1n) * 2_592_000n < exact);
        assert.ok(then <= now);
      },
    ),
  );
});
