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
    homeRate: fc.integer({ min: 0, max: 3_000 }),
    taxation: fc.oneof(
      fc.record({
        kind: fc.constant('standard' as const),
        rate: fc.integer({ min: 0, max: 3_000 }),
        country: fc.constant('FR'),
      }),
      fc.record({
        kind: fc.constantFrom('reverse_charge' as const, 'export' as const, 'small_business' as const),
        rate: fc.constant(0),
        country: fc.constant('FR'),
      }),
    ),
    discount: fc.integer({ min: 0, max: 10_000 }),
  })
  .map((request) => ({ ...request, ...period, version: 1, currency: 'EUR' }));

const SHOWN = ['standard', 'small_business'];

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
      if (SHOWN.includes(price.taxation.kind)) assert.equal(price.gross, (exact + 50n) / 100n);
      assert.equal(price.discount, 0n);
    }),
  );
});

test('property: who pays no tax pays the price without the tax at home, half a cent at most from it', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const price = priceOf({ ...request, taxation: { kind: 'reverse_charge', rate: 0, country: 'FR' } });
      assert.equal(price.tax, 0n);
      const exact = request.lines.reduce((sum, line) => sum + line.unitPrice * BigInt(line.quantity), 0n);
      // gross = exact / 100 * (1 - discount) / (1 + rate), all brought to one denominator.
      const wanted = exact * BigInt(10_000 - request.discount);
      const denominator = 100n * (10_000n + BigInt(request.homeRate));
      const off = 2n * (price.gross * denominator - wanted);
      assert.ok(off <= denominator && -off <= denominator);
    }),
  );
});

test('the same price is shown and paid in every country, with that country’s tax in it', () => {
  const thing = {
    ...period,
    version: 1,
    currency: 'EUR',
    homeRate: 1900,
    discount: 0,
    lines: [{ description: 'thing', quantity: 1, unitPrice: 119_0000n }],
  };
  const paid = (kind: 'standard' | 'export', rate: number) =>
    priceOf({ ...thing, taxation: { kind, rate, country: 'FR' } });
  assert.deepEqual([paid('standard', 1900).gross, paid('standard', 1900).tax], [11_900n, 1_900n]);
  assert.deepEqual([paid('standard', 2550).gross, paid('standard', 2550).tax], [11_900n, 2_418n]);
  assert.deepEqual([paid('export', 0).gross, paid('export', 0).tax], [10_000n, 0n]);
});

test('a discount of everything costs nothing', () => {
  const price = priceOf({
    ...period,
    version: 1,
    currency: 'EUR',
    homeRate: 1900,
    taxation: { kind: 'standard', rate: 1900, country: 'DE' },
    discount: 10_000,
    lines: [{ description: 'thing', quantity: 3, unitPrice: 39_900n }],
  });
  assert.equal(price.gross, 0n);
  assert.equal(price.fullGross, 1197n);
});
