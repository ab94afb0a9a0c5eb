import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceOf } from '../../selling/orders/price.ts';
import { netPrice } from './net-price.ts';

const CENT = 100n;
const now = Temporal.Instant.from('2027-01-15T12:00:00Z');

const prices = fc.bigInt({ min: 0n, max: 10n ** 11n }).map((cents) => cents * CENT);
const rates = fc.integer({ min: 0, max: 10_000 });

test('property: the net price that is shown is what somebody pays who owes the tax themselves', () => {
  fc.assert(
    fc.property(prices, rates, (price, rate) => {
      const charged = priceOf({
        version: 1,
        currency: 'EUR',
        homeRate: rate,
        taxation: { kind: 'reverse_charge', rate: 0, country: 'AT' },
        lines: [{ description: 'thing', quantity: 1, unitPrice: price }],
        discount: 0,
        periodFrom: now,
        periodTo: now,
      });
      assert.equal(netPrice(price, rate, CENT), charged.gross * CENT);
    }),
  );
});

test('property: the net price is the nearest step to the exact one', () => {
  fc.assert(
    fc.property(prices, rates, fc.constantFrom(1n, CENT), (price, rate, step) => {
      const net = netPrice(price, rate, step);
      assert.equal(net % step, 0n);
      const off = net * (10_000n + BigInt(rate)) - price * 10_000n;
      assert.ok(2n * (off < 0n ? -off : off) <= (10_000n + BigInt(rate)) * step);
    }),
  );
});

test('without tax, the net price is the price', () => {
  fc.assert(fc.property(prices, (price) => assert.equal(netPrice(price, 0, 1n), price)));
});
