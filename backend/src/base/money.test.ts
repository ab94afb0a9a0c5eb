import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { divideRounded, parseWireAmount, taxWithin, wireAmount, wireUnitPrice } from './money.ts';

const amounts = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n });

test('rounding is half away from zero', () => {
  const cases: [bigint, bigint, bigint][] = [
    [5n, 10n, 1n],
    [-5n, 10n, -1n],
    [4n, 10n, 0n],
    [15n, 10n, 2n],
    [-15n, 10n, -2n],
    [14n, 10n, 1n],
  ];
  for (const [dividend, divisor, result] of cases) assert.equal(divideRounded(dividend, divisor), result);
});

test('property: rounding is never off by more than half', () => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 9n }), (dividend, divisor) => {
      const error = 2n * (divideRounded(dividend, divisor) * divisor - dividend);
      assert.ok(error <= divisor && error >= -divisor);
    }),
  );
});

test('property: every amount survives the wire', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      assert.equal(parseWireAmount(JSON.parse(JSON.stringify(wireAmount(amount)))), amount);
    }),
  );
});

test('property: the wire prints at most two decimals of an amount and four of a unit price', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      assert.match(String(wireAmount(amount)), /^-?\d+(\.\d{1,2})?$/);
      assert.match(String(wireUnitPrice(amount)), /^-?(\d+(\.\d{1,4})?|\d(\.\d)?e-4)$/);
    }),
  );
});

test('property: tax within a gross amount is its rate of the net, to the cent', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.integer({ min: 0, max: 10_000 }),
      (gross, rate) => {
        const tax = taxWithin(gross, rate);
        const net = gross - tax;
        const difference = tax * 10_000n - net * BigInt(rate);
        assert.ok(difference <= 10_000n + BigInt(rate) && difference >= -(10_000n + BigInt(rate)));
      },
    ),
  );
});

test('amounts with more than two decimals are not amounts', () => {
  assert.equal(parseWireAmount(0.001), null);
  assert.equal(parseWireAmount(1e308), null);
  assert.equal(parseWireAmount(9.99), 999n);
});
