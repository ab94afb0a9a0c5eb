import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../test/fixture.ts';
import { until } from '../../test/until.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import type { Refusal } from '../errors.ts';
import order from '../operations/panel/order.ts';
import renew from '../operations/panel/renew.ts';
import { BatchQueue } from './batch-queue.ts';
import { type WriteItem, type WriteOutcome, writeTogether } from './write.ts';

const fixture = await openFixture();
const { pool, customer, item, clock } = fixture;
const input = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
const PRICE = 399n;

/** Queues as two processes have them: they know nothing of each other. */
const processes = () => [1, 2].map(() => new BatchQueue((items) => writeTogether(pool, items), true));

/** Sends every item to the processes in turn, all at once. */
async function send(items: readonly WriteItem[]): Promise<WriteOutcome[]> {
  const queues = processes();
  return await Promise.all(
    items.map((one, index) => {
      const queue = queues[index % queues.length];
      if (queue === undefined) throw new Error('no process');
      return queue.submit(one);
    }),
  );
}

function kindOf(outcome: WriteOutcome): string {
  if (outcome.kind === 'refused') return outcome.refusal.code;
  return outcome.kind === 'answered' && outcome.replayed ? 'replayed' : outcome.kind;
}

function count(outcomes: readonly WriteOutcome[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(outcomes, kindOf)].map(([kind, group]) => [kind, group.length]).sort(),
  );
}

async function licensed(who: Customer): Promise<string> {
  const [outcome] = await writeTogether(pool, [item(order, who, input)]);
  assert.equal(outcome?.kind, 'answered');
  return (outcome as unknown as { data: { license_uuid: string } }).data.license_uuid;
}

function openPool(name: string, lockTimeoutMs: number): Pool {
  return new Pool({ url: fixture.database.url, size: 1, name, role: APPLICATION_ROLE, lockTimeoutMs });
}

async function expiryOf(license: string): Promise<string> {
  const { rows } = await pool.pg.query<{ expire_at: Temporal.Instant }>(
    'SELECT expire_at FROM services WHERE id = $1',
    [license],
  );
  return rows[0]?.expire_at.toString() ?? '';
}

test('one key in two processes at once is one charge; the same key of another account is another', async () => {
  const [one, other] = await Promise.all([customer(10_000n), customer(10_000n)]);
  const outcomes = await send(
    Array.from({ length: 24 }, (_, index) => item(order, index % 3 === 0 ? other : one, input, 'same-key')),
  );
  assert.deepEqual(count(outcomes), { answered: 2, replayed: 22 });
  for (const who of [one, other]) assert.equal(await fixture.balanceOf(who), 10_000n - PRICE);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test("a token's budget of the day and the balance hold over two processes", async () => {
  const budgeted = await customer(100_000n, { spendingLimit: 5n * PRICE + 1n });
  const poor = await customer(3n * PRICE);
  const outcomes = await send(
    [...Array(12)].flatMap(() => [item(order, budgeted, input), item(order, poor, input)]),
  );
  assert.deepEqual(count(outcomes), { answered: 8, insufficient_funds: 9, spending_limit_exceeded: 7 });
  assert.equal(await fixture.balanceOf(budgeted), 100_000n - 5n * PRICE);
  assert.equal(await fixture.balanceOf(poor), 0n);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('a discount code is used as often as it may be, by accounts that cross in two processes', async () => {
  await pool.kysely
    .insertInto('discount_codes')
    .values(
      ['CROSSA', 'CROSSB'].map((code) => ({
        code,
        percent: 5_000,
        products: null,
        max_uses: 7,
        max_uses_per_account: 2,
        valid_from: clock.now(),
        valid_until: null,
        created_at: clock.now(),
      })),
    )
    .execute();
  const who = await Promise.all([...Array(6)].map(() => customer(100_000n)));
  const codes = ['crossa', ' CrossB '];
  const items = [...Array(8)].flatMap((_, round) =>
    (round % 2 === 0 ? who : who.toReversed()).map((one, index) =>
      item(order, one, { ...input, discount_code: codes[(index + (round >> 1)) % 2] }),
    ),
  );
  const outcomes = await send(items);
  assert.deepEqual(count(outcomes), { answered: 14, discount_code_invalid: 34 });
  const { rows } = await pool.pg.query(
    `SELECT c.code, c.uses, count(*)::int AS rows, max(per.n) <= 2 AS kept
     FROM discount_codes c JOIN discount_uses u ON u.code = c.code
     JOIN (SELECT code, account_id, count(*)::int AS n FROM discount_uses GROUP BY 1, 2) per ON per.code = c.code AND per.account_id = u.account_id
     GROUP BY c.code ORDER BY c.code`,
  );
  assert.deepEqual(rows, [
    { code: 'CROSSA', uses: 7, rows: 7, kept: true },
    { code: 'CROSSB', uses: 7, rows: 7, kept: true },
  ]);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('an item that the database refuses takes nothing from its neighbours, each of which is answered once', async () => {
  const [before, poisoned, behind] = await Promise.all([1, 2, 3].map(() => customer(10_000n)));
  assert.ok(before && poisoned && behind);
  const licenses = await Promise.all([before, poisoned, behind].map(licensed));
  const [first, second, third] = licenses as [string, string, string];
  // Somebody has paid for the poisoned license's next term already.
  await pool.pg.query(
    `INSERT INTO orders SELECT gen_random_uuid(), account_id, token_id, product, 'renew', service_id, state, price_version,
       currency, lines, net, discount, tax_rate, tax, gross, discount_code, duration, duration_unit, period_to,
       period_to + interval '1 month', terms_version, entry_id, failure, created_at, closed_at
     FROM orders WHERE service_id = $1`,
    [second],
  );
  const expiry = await expiryOf(second);
  const queue = new BatchQueue((items) => writeTogether(pool, items), true);
  const settled = await Promise.allSettled([
    queue.submit(item(renew, before, { uuid: first, duration: 1 }, 'k')),
    queue.submit(item(renew, poisoned, { uuid: second, duration: 1 }, 'k')),
    queue.submit(item(order, poisoned, input, 'other')),
    queue.submit(item(renew, behind, { uuid: third, duration: 2 }, 'k')),
    queue.submit(item(renew, before, { uuid: first, duration: 1 }, 'k')),
  ]);
  const came = settled.map((one) =>
    one.status === 'fulfilled' ? kindOf(one.value) : (one.reason as Refusal).code,
  );
  assert.deepEqual(came, ['answered', 'conflict', 'answered', 'answered', 'replayed']);
  const left = await Promise.all([before, poisoned, behind].map((who) => fixture.balanceOf(who)));
  assert.deepEqual(left, [10_000n - 2n * PRICE, 10_000n - 2n * PRICE, 10_000n - 3n * PRICE]);
  assert.equal(await expiryOf(second), expiry);
});

test('a resource allowlist holds for each item of a batch by itself', async () => {
  const who = await customer(10_000n);
  const [mine, forbidden] = [await licensed(who), await licensed(who)];
  const only = (uuid: string) => {
    const whole = item(renew, who, { uuid, duration: 1 });
    const caller = { ...whole.ctx.caller, resourceAllowlist: [mine] };
    return { ...whole, ctx: { ...whole.ctx, caller: caller as never } };
  };
  const free = item(renew, who, { uuid: forbidden, duration: 1 });
  const expiry = await expiryOf(forbidden);
  const outcomes = await writeTogether(pool, [only(forbidden), only(mine), only(forbidden)]);
  assert.deepEqual(outcomes.map(kindOf), ['not_found', 'answered', 'not_found']);
  assert.equal(await expiryOf(forbidden), expiry);
  assert.deepEqual((await writeTogether(pool, [only(forbidden), free])).map(kindOf), [
    'not_found',
    'answered',
  ]);
});

test('a renewal that waits too long for its account is refused as such, and leaves no rejection behind', async () => {
  const who = await customer(10_000n);
  const uuid = await licensed(who);
  const impatient = openPool('impatient', 20);
  const rival = await pool.pg.connect();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.prependListener('unhandledRejection', note);
  try {
    await rival.query('BEGIN');
    await rival.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [who.accountId]);
    // The transaction that holds the account has nothing to do with the key.
    for (const key of [null, 'key'])
      await assert.rejects(writeTogether(impatient, [item(renew, who, { uuid, duration: 1 }, key)]), {
        code: 'resource_locked',
      });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
  } finally {
    process.off('unhandledRejection', note);
    await rival.query('ROLLBACK');
    rival.release();
    await impatient.end();
  }
});

test('only who waits for a request of the same key hears that this one is in progress', async () => {
  const [who, other] = await Promise.all([customer(10_000n), customer(10_000n)]);
  const [uuid, further] = [await licensed(who), await licensed(who)];
  const impatient = openPool('impatient', 20);
  const patient = openPool('patient', 240_000);
  const rival = await pool.pg.connect();
  try {
    await rival.query('BEGIN');
    await rival.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [who.accountId]);
    const first = writeTogether(patient, [item(renew, who, { uuid, duration: 1 }, 'same')]);
    await until(
      async () => (await pool.pg.query('SELECT FROM pg_locks WHERE NOT granted')).rows[0],
      () => 'the first request does not wait for its account',
      5,
    );
    const told = async (key: string, of: string) =>
      writeTogether(impatient, [item(renew, who, { uuid: of, duration: 1 }, key)]).then(
        () => 'answered',
        (error: Refusal) => error.code,
      );
    assert.equal(await told('same', uuid), 'idempotency_in_progress');
    assert.equal(await told('same', further), 'idempotency_in_progress');
    assert.equal(await told('another', uuid), 'resource_locked');
    // In a queue, a batch of both accounts runs on: the one that is held is asked for alone.
    const queue = new BatchQueue((items) => writeTogether(impatient, items), true);
    const settled = await Promise.allSettled([
      queue.submit(item(renew, who, { uuid, duration: 1 }, 'same')),
      queue.submit(item(renew, who, { uuid, duration: 1 }, 'another')),
      queue.submit(item(order, other, input, 'same')),
    ]);
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? kindOf(one.value) : (one.reason as Refusal).code)),
      ['idempotency_in_progress', 'resource_locked', 'answered'],
    );
    await rival.query('ROLLBACK');
    assert.deepEqual((await first).map(kindOf), ['answered']);
    assert.deepEqual(
      (await writeTogether(impatient, [item(renew, who, { uuid, duration: 1 }, 'same')])).map(kindOf),
      ['replayed'],
    );
  } finally {
    await rival.query('ROLLBACK');
    rival.release();
    await Promise.all([impatient.end(), patient.end()]);
  }
});
