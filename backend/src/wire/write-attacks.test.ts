// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, DEAR_LICENSE, LICENSE, openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';
import { until } from '../../test/until.ts';
import { importCatalog } from '../business/core/catalog/import.ts';
import { syncInventories } from '../business/products.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import type { Refusal } from '../errors.ts';
import order from '../operations/panel/order.ts';
import renew from '../operations/panel/renew.ts';
import { BatchQueue } from './batch-queue.ts';
import { type WriteOutcome, writeTogether } from './write.ts';

const fixture = await openFixture();
const { pool, customer, item, clock } = fixture;
const { call } = openRequests(fixture);
const input = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

const kindOf = (outcome: WriteOutcome | undefined): string =>
  outcome?.kind === 'refused' ? outcome.refusal.code : (outcome?.kind ?? 'none');
async function licensed(who: Customer): Promise<string> {
  const [outcome] = await writeTogether(pool, [item(order, who, input)]);
  assert.equal(kindOf(outcome), 'answered');
  return (outcome as unknown as { data: { license_uuid: string } }).data.license_uuid;
}

/** A rival transaction that holds an account, and more, until it is let go. */
async function holding(...locks: readonly [sql: string, id: string][]) {
  const rival = await pool.pg.connect();
  await rival.query('BEGIN');
  for (const [sql, id] of locks) await rival.query(sql, [id]);
  let held = true;
  return async () => {
    if (!held) return;
    held = false;
    await rival.query('ROLLBACK');
    rival.release();
  };
}
/** Whoever waits in this database, rather than in another test's. */
const WAITING = `SELECT locktype FROM pg_locks l WHERE NOT granted AND EXISTS (
  SELECT FROM pg_stat_activity a WHERE a.pid = l.pid AND a.datname = current_database())`;
const ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
const SERVICE = 'SELECT FROM services WHERE id = $1 FOR UPDATE';

test('a renewal whose account and license are held leaves the batch; its neighbour does not wait', async () => {
  const [held, free] = await Promise.all([customer(10_000n), customer(10_000n)]);
  const [heldLicense, freeLicense] = [await licensed(held), await licensed(free)];
  const letGo = await holding([ACCOUNT, held.accountId], [SERVICE, heldLicense]);
  try {
    const outcomes = await writeTogether(pool, [
      item(renew, held, { uuid: heldLicense, duration: 1 }),
      item(renew, free, { uuid: freeLicense, duration: 1 }),
    ]);
    assert.deepEqual(outcomes.map(kindOf), ['locked', 'answered']);
  } finally {
    await letGo();
  }
});

test('who shared a batch with a held account orders again while that account still waits', async () => {
  const [held, free] = await Promise.all([customer(10_000n), customer(10_000n)]);
  const letGo = await holding([ACCOUNT, held.accountId]);
  const queue = new BatchQueue((items) => writeTogether(pool, items), true);
  let settled = false;
  const waiting = queue
    .submit(item(order, held, input))
    .catch((error) => error)
    .finally(() => {
      settled = true;
    });
  try {
    await queue.submit(item(order, free, input));
    await queue.submit(item(order, free, input));
    assert.equal(settled, false, 'the neighbour was made to wait until the held account had timed out');
  } finally {
    await letGo();
    await waiting;
  }
});

test('of statements that were sent together, the error is that of the one that failed', async () => {
  const failing = statement<object>('failing_statement', 'SELECT 1 / $1::int AS one');
  const following = statement<object>('following_statement', 'SELECT $1::int AS one');
  const deeper = async (sent: Promise<unknown>) => {
    await sent.catch(async (error) => {
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      throw error;
    });
  };
  await assert.rejects(
    transaction(pool, (tx) => Promise.all([deeper(tx.run(failing, [0])), tx.run(following, [1])])),
    { code: '22012' },
  );
});

test('an order under way keeps its package in the catalogue', async () => {
  const who = await customer(10_000n);
  await pool.pg.query(
    "INSERT INTO discount_codes (code, percent, valid_from, created_at) VALUES ('HELD', 1000, '2026-01-01', '2026-01-01')",
  );
  const letGo = await holding(['SELECT FROM discount_codes WHERE code = $1 FOR UPDATE', 'HELD']);
  const dear = { ...input, pack_uuid: DEAR_LICENSE, discount_code: 'held' };
  const ordering = writeTogether(pool, [item(order, who, dear)]).catch(() => []);
  await until(
    async () => (await pool.pg.query(WAITING)).rows[0],
    () => 'the order does not wait',
    5,
  );
  const smaller = structuredClone(fixture.catalog);
  smaller.license_packages = smaller.license_packages.filter((pack) => pack.uuid !== DEAR_LICENSE);
  const importing = transaction(pool, (tx) =>
    importCatalog(tx, smaller, 'smaller', clock.now(), syncInventories),
  ).catch(() => null);
  // The import must be seen to wait for the order; had it not to, it would be done before the order is.
  await until(
    async () => (await pool.pg.query(`${WAITING} AND locktype = 'advisory'`)).rows[0],
    () => 'the import does not wait for the order under way',
    5,
  );
  await letGo();
  await Promise.all([ordering, importing]);
  await fixture.catalogs.newest(pool);
  const listed = await call('panel/list', {}, { token: who.secret });
  await transaction(pool, (tx) => importCatalog(tx, fixture.catalog, 'back', clock.now(), syncInventories));
  await fixture.catalogs.newest(pool);
  assert.equal(listed.status, 200, listed.text);
});

/** The pool, whose COMMITs take effect and get no answer. */
const mute = {
  pg: {
    async connect() {
      const client = await pool.pg.connect();
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      return Object.assign(Object.create(client), {
        query: async (...args: unknown[]) => {
          const answer = await query(...args);
          if (args[0] === 'COMMIT') throw new Error('Connection terminated');
          return answer;
        },
        release: () => client.release(true),
      });
    },
  },
  settlement: { settle: async () => 'unknown' },
} as never;

test('when COMMIT gets no answer, each of several orders is told its id', async () => {
  const [one, other] = await Promise.all([customer(10_000n), customer(10_000n)]);
  const queue = new BatchQueue((items) => writeTogether(mute, items), true);
  const settled = await Promise.allSettled([
    queue.submit(item(order, one, input)),
    queue.submit(item(order, other, input)),
  ]);
  const { rows } = await pool.pg.query<{ id: string }>(
    'SELECT id FROM orders WHERE account_id = ANY($1) ORDER BY account_id = $2 DESC',
    [[one.accountId, other.accountId], one.accountId],
  );
  const refusals = settled.map((came): Refusal | undefined => {
    if (came.status === 'rejected') return came.reason as Refusal;
    return came.value.kind === 'refused' ? came.value.refusal : undefined;
  });
  assert.deepEqual(
    refusals.map((refusal) => [refusal?.code, refusal?.detail.members?.order_id]),
    rows.map((row) => ['outcome_unknown', row.id]),
  );
});

test('of two requests with one key in one transaction, neither is acknowledged when that is unknown', async () => {
  const who = await customer(10_000n);
  const twice = [1, 2].map(() => item(order, who, input, 'the-same-key'));
  const outcomes = await writeTogether(mute, twice);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind)),
    ['outcome_unknown', 'outcome_unknown'],
  );
  const [repeated] = await writeTogether(pool, twice);
  assert.equal(repeated?.kind === 'answered' && repeated.replayed, true);
});

test('a dry run that shared a transaction with what is unknown keeps its answer', async () => {
  const who = await customer(10_000n);
  const outcomes = await writeTogether(mute, [
    item(order, who, input),
    item(order, who, { ...input, dry_run: true }),
  ]);
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['refused', 'answered'],
  );
});
