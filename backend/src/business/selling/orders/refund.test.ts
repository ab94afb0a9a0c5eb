import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { taxWithin } from '../../../base/money.ts';
import { refundTax } from './refund.ts';

const orders = fc
  .tuple(fc.bigInt({ min: 1n, max: 10_000_000n }), fc.constantFrom(0, 700, 1900, 2100, 2700))
  .map(([gross, rate]) => ({ gross, tax: taxWithin(gross, rate) }));

test('refunds in any steps never exceed the order’s tax or net, and all of it is exactly all', () => {
  fc.assert(
    fc.property(
      orders,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
      (paid, steps) => {
        let order = { ...paid, refunded_gross: 0n, refunded_tax: 0n };
        const refund = (gross: bigint) => {
          const tax = refundTax(order, gross);
          assert.ok(tax >= 0n && tax <= gross, `a tax of ${tax} within ${gross}`);
          order = {
            ...order,
            refunded_gross: order.refunded_gross + gross,
            refunded_tax: order.refunded_tax + tax,
          };
          assert.ok(order.refunded_tax <= order.tax);
          assert.ok(order.refunded_gross - order.refunded_tax <= order.gross - order.tax);
        };
        for (const step of steps) {
          const left = order.gross - order.refunded_gross;
          const gross = (left * BigInt(Math.floor(step * 1_000_000))) / 1_000_000n;
          if (gross > 0n) refund(gross);
        }
        if (order.refunded_gross < order.gross) refund(order.gross - order.refunded_gross);
        assert.deepEqual([order.refunded_gross, order.refunded_tax], [paid.gross, paid.tax]);
      },
    ),
  );
});

test('a cent at a time pays back an order to the cent', () => {
  let order = { gross: 399n, tax: 64n, refunded_gross: 0n, refunded_tax: 0n };
  for (let cent = 0; cent < 399; cent += 1) {
    const tax = refundTax(order, 1n);
    order = {
      ...order,
      refunded_gross: order.refunded_gross + 1n,
      refunded_tax: order.refunded_tax + tax,
    };
  }
  assert.equal(order.refunded_tax, 64n);
});
