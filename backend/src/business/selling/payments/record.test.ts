import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Customer, openFixture } from '../../../../test/fixture.ts';
import { transaction } from '../../../db/transaction.ts';
import { adjustBalance } from '../../core/accounts/adjust.ts';
import { begunPayment, paymentOf } from './payment.ts';
import { recordFound, type Told } from './record.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;

/** A payment of 25.00 that was begun. */
async function begun(who: Customer, change: { method?: string; save_method?: boolean } = {}) {
  const payment = begunPayment(
    {
      id: randomUUID(),
      account_id: who.accountId,
      method: 'sandbox',
      amount: 25_00n,
      currency: 'EUR',
      reference: null,
      return_url: null,
      locale: 'en',
      save_method: false,
      automatic: false,
      payment_method_id: null,
      ...change,
    },
    clock.now(),
  );
  await transaction(pool, (tx) => tx.kysely.insertInto('payments').values(payment).execute());
  return payment;
}

const tell = (payment: { id: string; account_id: string }, told: Told) =>
  recordFound(pool, clock.now(), payment, told);

async function booked(who: Customer): Promise<string[]> {
  const entries = await pool.kysely
    .selectFrom('ledger_entries')
    .select(['kind', 'amount'])
    .where('account_id', '=', who.accountId)
    .orderBy('seq')
    .execute();
  return entries.map(({ kind, amount }) => `${kind} ${amount}`);
}

async function mails(payment: { id: string }): Promise<string[]> {
  const { rows } = await pool.pg.query<{ template: string }>(
    "SELECT template FROM mails WHERE cause LIKE 'payment:' || $1 || ':%' ORDER BY template",
    [payment.id],
  );
  return rows.map((row) => row.template);
}

async function floorOf(who: Customer): Promise<bigint> {
  const { floor } = await pool.kysely
    .selectFrom('accounts')
    .select('floor')
    .where('id', '=', who.accountId)
    .executeTakeFirstOrThrow();
  return floor;
}

const EVENTS = {
  succeeded: { facts: { received: 25_00n } },
  refunded: { facts: { refunded: 10_00n } },
  disputed: { facts: { disputed: 15_00n } },
  won: { facts: { disputed: 15_00n, disputeWon: 15_00n } },
} satisfies Record<string, Told>;

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

test('every order of success, partial refund, dispute and won dispute ends in the same books', async () => {
  for (const order of permutations(Object.keys(EVENTS) as (keyof typeof EVENTS)[])) {
    const who = await fixture.customer(0n);
    const payment = await begun(who);
    for (const name of order) await tell(payment, EVENTS[name]);
    assert.equal(await fixture.balanceOf(who), 15_00n, order.join());
    assert.equal(await floorOf(who), 0n, order.join());
    const kinds = (await booked(who)).filter((line) => !line.startsWith('chargeback'));
    assert.deepEqual(kinds, ['topup 2500', 'refund -1000'], order.join());
    assert.equal((await paymentOf(pool, payment.id))?.state, 'succeeded', order.join());
  }
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('whatever is told, in whatever order and however often, the balance is what the greatest facts say', async () => {
  const amount = fc.bigInt({ min: 0n, max: 30_00n });
  const told = fc.record(
    { received: amount, refunded: amount, disputed: amount, disputeWon: amount },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 8 }), fc.nat(), async (facts, seed) => {
      const [one, other] = [await fixture.customer(3_00n), await fixture.customer(3_00n)];
      const [first, second] = [await begun(one), await begun(other)];
      for (const known of facts) await tell(first, { facts: known });
      const shuffled = [...facts, ...facts].sort((a, b) => hash(seed, a) - hash(seed, b));
      for (const known of shuffled) await tell(second, { facts: known });
      const most = (member: keyof (typeof facts)[number]) =>
        facts.reduce((max, known) => ((known[member] ?? 0n) > max ? (known[member] ?? 0n) : max), 0n);
      const expected =
        most('received') === 0n
          ? 0n
          : most('received') - most('refunded') - most('disputed') + most('disputeWon');
      assert.equal(await fixture.balanceOf(one), 3_00n + expected);
      assert.equal(await fixture.balanceOf(other), 3_00n + expected);
      assert.equal(await floorOf(one), expected < -3_00n ? 3_00n + expected : 0n);
      assert.equal((await paymentOf(pool, first.id))?.state, (await paymentOf(pool, second.id))?.state);
    }),
    { numRuns: 25 },
  );
  assert.deepEqual(await fixture.booksProblems(), []);
});

/** A number that depends on nothing but its arguments, to shuffle by. */
function hash(seed: number, value: object): number {
  const text = `${seed} ${Object.entries(value)}`;
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
}

test('twenty of the same at once are booked once, with one mail', async () => {
  const who = await fixture.customer(0n);
  const payment = await begun(who);
  await Promise.all(Array.from({ length: 20 }, () => tell(payment, EVENTS.succeeded)));
  assert.deepEqual(await booked(who), ['topup 2500']);
  assert.deepEqual(await mails(payment), ['payment.received']);
  assert.equal(await fixture.balanceOf(who), 25_00n);
});

test('a chargeback of money that was spent brings the balance below zero, and the floor to exactly there', async () => {
  const who = await fixture.customer(0n);
  const payment = await begun(who);
  await tell(payment, EVENTS.succeeded);
  const spent = { amount: -20_00n, reason: 'Spent' };
  await transaction(pool, (tx) => adjustBalance(tx, who.accountId, spent, clock.now()));
  await tell(payment, { facts: { disputed: 25_00n } });
  assert.equal(await fixture.balanceOf(who), -20_00n);
  assert.equal(await floorOf(who), -20_00n);
  assert.equal((await paymentOf(pool, payment.id))?.state, 'charged_back');
  assert.deepEqual(await mails(payment), ['payment.charged-back', 'payment.received']);
  await tell(payment, { facts: { disputed: 25_00n, disputeWon: 25_00n } });
  assert.equal(await fixture.balanceOf(who), 5_00n);
  assert.equal(await floorOf(who), 0n);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('an end without money is no end once money comes; failing is told by one mail', async () => {
  const who = await fixture.customer(0n);
  const payment = await begun(who);
  await tell(payment, { end: { state: 'cancelled', reason: 'expired' } });
  assert.deepEqual(await mails(payment), []);
  await tell(payment, { end: { state: 'failed', reason: 'insufficient_funds' } });
  await tell(payment, { end: { state: 'cancelled', reason: 'expired' } });
  const failed = await paymentOf(pool, payment.id);
  assert.deepEqual([failed?.state, failed?.failure], ['failed', 'insufficient_funds']);
  await tell(payment, EVENTS.succeeded);
  const paid = await paymentOf(pool, payment.id);
  assert.deepEqual([paid?.state, paid?.failure], ['succeeded', null]);
  assert.deepEqual(await mails(payment), ['payment.failed', 'payment.received']);
  assert.equal(await fixture.balanceOf(who), 25_00n);
});

test('what was paid with is kept only for who asked for it, and once', async () => {
  const savedMethod = { ref: `pm_${randomUUID()}`, label: 'Visa 4242' };
  const kept = async (who: Customer) =>
    (
      await pool.kysely
        .selectFrom('payment_methods')
        .select('label')
        .where('account_id', '=', who.accountId)
        .execute()
    ).length;
  const who = await fixture.customer(0n);
  await tell(await begun(who), { ...EVENTS.succeeded, savedMethod });
  assert.equal(await kept(who), 0);
  const payment = await begun(who, { save_method: true });
  await tell(payment, { ...EVENTS.succeeded, savedMethod });
  await tell(payment, { ...EVENTS.succeeded, savedMethod });
  assert.equal(await kept(who), 1);
});
