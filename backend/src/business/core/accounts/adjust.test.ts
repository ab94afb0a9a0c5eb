import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LICENSE, openFixture } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { transaction } from '../../../db/transaction.ts';
import { adjustBalance } from './adjust.ts';

const fixture = await openFixture();
const { call } = openRequests(fixture);

async function money(accountId: string): Promise<{ balance: bigint; floor: bigint; reserved: bigint }> {
  const { rows } = await fixture.pool.pg.query(
    'SELECT balance, floor, reserved FROM accounts WHERE id = $1',
    [accountId],
  );
  return rows[0];
}

const adjusted = (accountId: string, amount: bigint) =>
  transaction(fixture.pool, (tx) =>
    adjustBalance(tx, accountId, { amount, reason: 'test' }, fixture.clock.now()),
  );

test('any adjustments, with orders between: the balance is their sum, and the floor exactly the shortfall', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.bigInt(-900n, 900n).filter((amount) => amount !== 0n)), { maxLength: 12 }),
      fc.constantFrom(0n, 250n),
      fc.constantFrom(0n, 100n),
      async (steps, creditLimit, reserved) => {
        const customer = await fixture.customer(0n);
        const { accountId } = customer;
        await fixture.pool.pg.query(
          'UPDATE accounts SET credit_limit = $2, floor = least(-$2::bigint, -$3::bigint), reserved = $3 WHERE id = $1',
          [accountId, creditLimit, reserved],
        );
        let balance = 0n;
        for (const step of steps) {
          if (step === null) {
            const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
            const { status } = await call('panel/order', order, { token: customer.secret });
            assert.equal(status, balance - reserved + creditLimit >= 399n ? 200 : 402);
            if (status === 200) balance -= 399n;
          } else {
            balance += step;
            const outcome = await adjusted(accountId, step);
            assert.equal(outcome.kind === 'adjusted' && outcome.balance, balance);
            const left = balance - reserved;
            const { floor } = await money(accountId);
            assert.equal(floor, left < -creditLimit ? left : -creditLimit);
          }
          assert.equal((await money(accountId)).balance, balance);
        }
        await fixture.pool.pg.query('UPDATE accounts SET reserved = 0 WHERE id = $1', [accountId]);
      },
    ),
    { numRuns: 25 },
  );
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('adjustments at the same time are all booked', async () => {
  const { accountId } = await fixture.customer(0n);
  await Promise.all([100n, -700n, 50n, 25n, -5n].map((amount) => adjusted(accountId, amount)));
  assert.deepEqual(await money(accountId), { balance: -530n, floor: -530n, reserved: 0n });
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('what came in is a top-up against cash, what is corrected an adjustment', async () => {
  const { accountId } = await fixture.customer(0n);
  await transaction(fixture.pool, async (tx) => {
    await adjustBalance(
      tx,
      accountId,
      { amount: 1_000n, reason: 'paid', paidBy: 'bank' },
      fixture.clock.now(),
    );
  });
  await adjusted(accountId, -1n);
  const { rows } = await fixture.pool.pg.query(
    `SELECT e.kind, p.ledger_account AS account, p.amount FROM ledger_entries e JOIN ledger_postings p ON p.entry_id = e.id
     WHERE e.account_id = $1 AND p.position = 1 ORDER BY e.seq`,
    [accountId],
  );
  assert.deepEqual(rows, [
    { kind: 'topup', account: 'cash:bank', amount: -1_000n },
    { kind: 'adjustment', account: 'adjustment', amount: 1n },
  ]);
});

test('an adjustment of nothing is a mistake, and one of nobody finds nobody', async () => {
  const { accountId } = await fixture.customer(0n);
  await assert.rejects(adjusted(accountId, 0n), RangeError);
  assert.deepEqual(await adjusted('0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', 1n), { kind: 'not_found' });
});
