import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { LICENSE, openFixture } from '../../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { divideRounded } from '../../../base/money.ts';
import { type Instant, isBefore, later } from '../../../base/time.ts';
import type { RefundBasis } from '../../selling/orders/refund.ts';
import { revenueBetween } from './recognition.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;
const { data } = openRequests(fixture);

const HOURS = 3000;
const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const at = (hours: number) => START.add({ microseconds: Math.round(hours * 3_600_000_000) });

interface Sold {
  readonly net: bigint;
  readonly closed: Instant;
  readonly from: Instant;
  readonly to: Instant;
  readonly refunds: readonly Refunded[];
}

interface Refunded {
  readonly basis: RefundBasis;
  readonly net: bigint;
  readonly from: Instant;
  readonly created: Instant;
}

/** An order, paid before, at or after its term begins, and refunded in up to two steps. */
const sold: fc.Arbitrary<Sold> = fc
  .record({
    net: fc.bigInt({ min: 1n, max: 1_000_000n }),
    closed: fc.integer({ min: 0, max: HOURS }),
    early: fc.integer({ min: -50, max: 500 }),
    hours: fc.double({ min: 0.001, max: 2000, noNaN: true }),
    refunds: fc.array(
      fc.record({
        basis: fc.constantFrom<RefundBasis>(
          'pro_rata',
          'pro_rata',
          'statutory_withdrawal',
          'goodwill',
          'undelivered',
        ),
        share: fc.integer({ min: 0, max: 50 }),
        after: fc.integer({ min: 0, max: 1500 }),
        ends: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ net, closed, early, hours, refunds }) => ({
    net,
    closed: at(closed),
    from: at(closed + early),
    to: at(closed + early + hours),
    refunds: refunds
      .filter(({ share }) => (net * BigInt(share)) / 100n > 0n)
      .map(({ basis, share, after, ends }) => ({
        basis,
        net: (net * BigInt(share)) / 100n,
        created: at(closed + after),
        from: at(closed + early + hours * ends),
      })),
  }));

/** Keeps orders, each in a currency of its own: so each is told apart in the sums. */
async function keep(orders: readonly Sold[]): Promise<void> {
  for (const [index, order] of orders.entries()) {
    const id = randomUUID();
    await pool.pg.query(
      `INSERT INTO orders (id, account_id, product, action, service_id, state, price_version, currency, lines, net,
         discount, tax_rate, tax, gross, duration, duration_unit, period_from, period_to, entry_id, created_at, closed_at)
       VALUES ($1, $1, 'license', 'create', $1, 'completed', 1, $2, '[]', $3, 0, 0, 0, $3, 1, 'month', $4, $5, $1, $6, $6)`,
      [id, String(index), order.net, String(order.from), String(order.to), String(order.closed)],
    );
    for (const refund of order.refunds) {
      await pool.pg.query(
        `INSERT INTO refunds (id, account_id, order_id, basis, gross, tax, period_from, reason, entry_id, created_at)
         VALUES (gen_random_uuid(), $1, $1, $5, $2, 0, $3, '', gen_random_uuid(), $4)`,
        [id, refund.net, String(refund.from), String(refund.created), refund.basis],
      );
    }
  }
}

const micros = (from: Instant, until: Instant) => (until.epochNanoseconds - from.epochNanoseconds) / 1000n;

/** The same, from the definition. */
function model(order: Sold, moment: Instant): { earned: bigint; posted: bigint } {
  if (!isBefore(order.closed, moment)) return { earned: 0n, posted: 0n };
  const refunds = order.refunds.filter((refund) => isBefore(refund.created, moment));
  const posted = refunds.reduce((left, refund) => left - refund.net, order.net);
  let ends = order.to;
  // The price of all of the term, and what was paid back of it because less was delivered from some moment on.
  let price = posted;
  let less = 0n;
  for (const { basis, net, from } of refunds) {
    if (basis !== 'pro_rata') ends = isBefore(from, ends) ? from : ends;
    else if (isBefore(from, order.to)) {
      const since = later(from, order.from);
      price += net;
      less += divideRounded(net * micros(since, later(since, moment)), micros(since, order.to));
    }
  }
  if (isBefore(ends, order.from)) ends = order.from;
  if (!isBefore(moment, ends)) return { earned: posted, posted };
  if (!isBefore(order.from, moment)) return { earned: 0n, posted };
  const whole = divideRounded(price * micros(order.from, moment), micros(order.from, ends));
  return { earned: whole - less, posted };
}

test('revenue is exact to the cent: periods add up, and with what is deferred they are what was posted', async () => {
  const orders = fc.sample(sold, { numRuns: 300, seed: 7 });
  await keep(orders);
  const between = async (from: Instant, before: Instant) =>
    new Map((await revenueBetween(pool, from, before)).map((row) => [row.currency, row]));
  const hours = fc.double({ min: -10, max: 2 * HOURS, noNaN: true });
  const moments = fc.array(hours, { minLength: 3, maxLength: 3 });
  for (const cuts of fc.sample(moments, { numRuns: 40, seed: 11 })) {
    const [one, two, three] = cuts.sort((a, b) => a - b).map(at);
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    const [first, second, whole, ever] = [
      await between(one, two),
      await between(two, three),
      await between(one, three),
      await between(at(-100), three),
    ];
    for (const [index, order] of orders.entries()) {
      const of = (rows: Awaited<ReturnType<typeof between>>) =>
        rows.get(String(index)) ?? { recognised: 0n, posted: 0n, deferred: 0n };
      const start = model(order, one);
      const end = model(order, three);
      assert.equal(of(whole).recognised, end.earned - start.earned);
      assert.equal(of(whole).posted, end.posted - start.posted);
      assert.equal(of(first).recognised + of(second).recognised, of(whole).recognised);
      assert.equal(of(ever).recognised + of(ever).deferred, of(ever).posted);
      assert.equal(of(ever).posted, end.posted);
    }
  }
  const all = await between(at(-100), at(10 * HOURS));
  for (const [index, order] of orders.entries()) {
    const left = order.refunds.reduce((sum, refund) => sum - refund.net, order.net);
    assert.deepEqual([all.get(String(index))?.recognised, all.get(String(index))?.deferred], [left, 0n]);
  }
  await pool.pg.query('UPDATE orders SET state = $1', ['failed']);
});

test('what is posted is what the ledger’s revenue accounts say, refunds included', async () => {
  const token = { token: await staffToken(fixture) };
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret };
  const order = { pack_uuid: LICENSE, tos: true, cancellation: true };
  const { order_id } = await data('panel/order', { ...order, duration: 3 }, sent);
  await data('panel/order', { ...order, duration: 1 }, sent);
  clock.set(clock.now().add({ hours: 24 * 20 }));
  await data(
    'staff/refund',
    { order_id, amount: 5, reason: 'Outage', basis: 'goodwill', end_service: true },
    token,
  );
  const month = { from: '2027-01-01', to: '2027-01-31' };
  const january = await data('staff/revenue', month, token);
  const february = await data('staff/revenue', { from: '2027-02-01', to: '2027-02-28' }, token);
  const both = await data('staff/revenue', { from: '2027-01-01', to: '2027-02-28' }, token);
  const { rows } = await pool.pg.query<{ minor: bigint }>(
    "SELECT sum(amount)::bigint AS minor FROM ledger_postings WHERE ledger_account = 'revenue:license'",
  );
  const [all] = both.products;
  assert.equal(all.posted_minor, Number(rows[0]?.minor));
  assert.equal(all.recognised_minor + all.deferred_minor, all.posted_minor);
  assert.equal(
    january.products[0].recognised_minor + february.products[0].recognised_minor,
    all.recognised_minor,
  );
  assert.ok(january.products[0].deferred_minor > 0);
  assert.equal(all.product, 'license');
});
