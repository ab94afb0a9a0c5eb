import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceOf } from './price.ts';

const period = {
  periodFrom: Temporal.Instant.from('2026-11-20T00:00:00Z'),
  periodTo: Temporal.Instant.from('2026-12-20T00:00:00Z'),
};
const lines = fc.array(
  fc.record({
    description: fc.constant('thing'),
    quantity: fc.integer({ min: 1, max: 10_000 }),
    unitPrice: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  }),
  { minLength: 1, maxLength: 8 },
);
const requests = fc
  .record({
    lines,
    taxRate: fc.integer({ min: 0, max: 3_000 }),
    discount: fc.integer({ min: 0, max: 10_000 }),
  })
  .map((request) => ({ ...request, ...period, version: 1, currency: 'EUR' }));

test('property: a price adds up, whatever the quantities, rates and discounts', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const price = priceOf(request);
      const nets = price.lines.reduce((sum, line) => sum + line.net, 0n);
      assert.equal(nets - price.discount, price.net);
      assert.equal(price.net + price.tax, price.gross);
      assert.ok(price.gross >= 0n && price.gross <= price.fullGross && price.discount >= 0n);
      for (const line of price.lines) assert.ok(line.net >= 0n);
    }),
  );
});

test('property: without a discount the price is the sum of its lines, rounded once', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const price = priceOf({ ...request, discount: 0 });
      const exact = request.lines.reduce((sum, line) => sum + line.unitPrice * BigInt(line.quantity), 0n);
      assert.equal(price.gross, (exact + 50n) / 100n);
      assert.equal(price.discount, 0n);
    }),
  );
});

test('a discount of everything costs nothing', () => {
  const price = priceOf({
    ...period,
    version: 1,
    currency: 'EUR',
    taxRate: 1900,
    discount: 10_000,
    lines: [{ description: 'thing', quantity: 3, unitPrice: 39_900n }],
  });
  assert.equal(price.gross, 0n);
  assert.equal(price.fullGross, 1197n);
});
