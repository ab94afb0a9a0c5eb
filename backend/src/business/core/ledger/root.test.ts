import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import pg from 'pg';
import { openFixture } from '../../../../test/fixture.ts';
import { leafHash, rootOf } from './merkle.ts';
import { newestRoot, rootCovering, SUBTREE } from './root.ts';
import signHeads from './sign-heads.job.ts';

let owner: pg.Client;
// Before the fixture's own, which drops the database.
after(() => owner.end());
const { pool, clock, signer, sealer, catalogs, database } = await openFixture();
owner = new pg.Client({ connectionString: database.url });
await owner.connect();

async function run(): Promise<void> {
  assert.ok(signHeads.kind === 'maintenance');
  const context = { now: clock.now(), catalogs, sealer, signer, log: undefined as never };
  await signHeads.run(pool, context, undefined as never);
}
async function sign(): Promise<string> {
  clock.set(clock.now().add({ hours: 24 }));
  await run();
  return clock.now().toString().slice(0, 10);
}

/** So many accounts, and each one's next entry; the hashes are any. */
async function openAccounts(count: number): Promise<void> {
  await owner.query(
    `INSERT INTO accounts (id, state, currency, created_at)
     SELECT gen_random_uuid(), 'active', 'EUR', $2 FROM generate_series(1, $1::int)`,
    [count, clock.now().toString()],
  );
}
async function bookFor(accounts: readonly string[] | null): Promise<void> {
  await owner.query(
    `WITH moved AS (
       UPDATE accounts SET ledger_seq = ledger_seq + 1, ledger_hash = sha256((id::text || ledger_seq)::bytea)
       WHERE $1::uuid[] IS NULL OR id = ANY($1) RETURNING id, ledger_seq, ledger_hash)
     INSERT INTO ledger_entries (account_id, seq, id, kind, currency, amount, tax, balance_after, description,
       created_at, prev_hash, hash)
     SELECT id, ledger_seq, gen_random_uuid(), 'adjustment', 'EUR', 0, 0, 0, '', $2, ledger_hash, ledger_hash FROM moved`,
    [accounts, clock.now().toString()],
  );
}
async function accountIds(): Promise<string[]> {
  const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM accounts ORDER BY id');
  return rows.map((row) => row.id);
}
async function leafOf(account: string, seq: bigint): Promise<Buffer> {
  const { rows } = await pool.pg.query<{ hash: Buffer }>(
    'SELECT hash FROM ledger_entries WHERE account_id = $1 AND seq = $2',
    [account, seq],
  );
  return leafHash({ account, seq, hash: rows[0]?.hash ?? Buffer.of() });
}

await openAccounts(2 * SUBTREE + 100);
await bookFor(null);
const first = await sign();
const all = await accountIds();
const some = [0, 1, SUBTREE - 1, SUBTREE, SUBTREE + 1, 2 * SUBTREE, all.length - 1].map(
  (at) => all[at] ?? '',
);

test('every account is proven to the root, whichever subtree it is in', async () => {
  for (const account of some) {
    const root = await rootCovering(pool, account, 1n);
    assert.ok(root !== null);
    assert.deepEqual([root.day, root.seq, root.accounts], [first, 1n, all.length]);
    assert.deepEqual(rootOf(await leafOf(account, 1n), root.path), root.root);
  }
});

test('an older root is still proven when heads have moved and accounts have come since', async () => {
  await bookFor(some.slice(0, 2));
  await openAccounts(50);
  const second = await sign();
  await bookFor(null);
  const [moved = '', , , stayed = ''] = some;
  for (const [account, seq, day, head] of [
    [moved, 1n, first, 1n],
    [moved, 2n, second, 2n],
    [stayed, 1n, first, 1n],
  ] as const) {
    const root = await rootCovering(pool, account, seq);
    assert.ok(root !== null);
    assert.deepEqual([root.day, root.seq], [day, head]);
    assert.deepEqual(rootOf(await leafOf(account, head), root.path), root.root);
  }
  const newest = await newestRoot(pool, stayed);
  assert.ok(newest !== null);
  assert.deepEqual([newest.day, newest.seq], [second, 1n], 'it has not moved, and is in the second tree too');
  assert.deepEqual(rootOf(await leafOf(stayed, 1n), newest.path), newest.root);
  assert.equal(await rootCovering(pool, stayed, 2n), null, 'booked after the newest root');
  const { rows } = await pool.pg.query('SELECT FROM ledger_heads WHERE day = $1', [second]);
  assert.equal(rows.length, 2, 'only heads that have moved are kept');
});

test('a day is signed once, also when two processes try at the same time', async () => {
  await bookFor(some);
  const state = async () => (await pool.pg.query('SELECT * FROM ledger_heads ORDER BY account_id, day')).rows;
  clock.set(clock.now().add({ hours: 24 }));
  await Promise.all([run(), run()]);
  const kept = await state();
  await bookFor(some);
  await run();
  assert.deepEqual(await state(), kept);
  const { rows } = await pool.pg.query('SELECT day FROM ledger_roots');
  assert.equal(rows.length, 3);
});

test('a ledger that was rewritten gives no proof any more, neither of its account nor of its neighbours', async () => {
  const [account = '', neighbour = ''] = some;
  await owner.query('UPDATE ledger_entries SET hash = sha256($2) WHERE account_id = $1 AND seq = 1', [
    account,
    randomUUID(),
  ]);
  await assert.rejects(rootCovering(pool, account, 1n), /does not lead to the root/);
  await assert.rejects(rootCovering(pool, neighbour, 1n), /does not lead to the root/);
});
