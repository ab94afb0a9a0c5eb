// Needs: database

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { createTestDatabase } from '../../../../test/database.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { ENTRY_KINDS } from './entry.ts';
import { markedSums, markNext } from './marks.ts';

const LINES = 4_321;

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 4, name: 'marks', role: APPLICATION_ROLE });
const owner = new pg.Client({ connectionString: database.url });
await owner.connect();
after(async () => {
  await owner.end();
  await pool.end();
  await database.drop();
});

/** Two customers' ledgers, with credits among the orders, as corrections are. */
async function fill(lines: number): Promise<string[]> {
  await owner.query('SET session_replication_role = replica');
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO accounts (id, state, currency, balance, ledger_seq, ledger_at, created_at)
     SELECT uuidv7(), 'active', 'EUR', 0, $1, '2027-01-01', '2027-01-01' FROM generate_series(1, 2) RETURNING id`,
    [lines],
  );
  for (const { id } of rows) await book(id, 1, lines);
  return rows.map(({ id }) => id);
}

const book = (accountId: string, from: number, to: number) =>
  owner.query(
    `INSERT INTO ledger_entries (account_id, seq, id, kind, currency, amount, tax, balance_after, description, created_at,
       prev_hash, hash)
     SELECT $1, seq, uuidv7(), (ARRAY['order', 'renewal', 'topup'])[1 + seq % 3], 'EUR',
       CASE WHEN seq % 7 = 0 THEN seq ELSE -seq END, 0, 0, 'x', '2027-01-01', sha256('a'), sha256('b')
     FROM generate_series($2::bigint, $3::bigint) seq`,
    [accountId, from, to],
  );

test('the sums of a kind are those of its entries, whatever is marked by then', async () => {
  const [first = '', second = ''] = await fill(LINES);
  const hold = async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(first, second),
        fc.constantFrom('order', 'renewal', 'topup'),
        fc.integer({ min: 1, max: LINES + 1 }),
        fc.integer({ min: 0, max: LINES }),
        async (account, kind, from, to) => {
          const { rows } = await owner.query(
            `SELECT count(*)::int AS total, coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::int AS credit,
               coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::int AS debit
             FROM ledger_entries WHERE account_id = $1 AND kind = $2 AND seq BETWEEN $3 AND $4`,
            [account, kind, from, to],
          );
          const found = await markedSums(pool, account, { first: BigInt(from), last: BigInt(to) }, kind);
          const { total, credit, debit } = found;
          assert.deepEqual({ total: Number(total), credit: Number(credit), debit: Number(debit) }, rows[0]);
        },
      ),
      { numRuns: 40 },
    );
  };
  await hold();
  // In part: a run ends in the middle of an account.
  await markNext(pool, 3);
  await hold();
  while (await markNext(pool, 3));
  await hold();
  const marks = async () => (await owner.query('SELECT * FROM ledger_marks ORDER BY 1, 2, 3')).rows;
  const all = await marks();
  assert.equal(all.length, 2 * ENTRY_KINDS.length * 4);
  // Entries that come later are found beside the marks, and are marked with the next thousand.
  await book(first, LINES + 1, 5_000);
  await markNext(pool, 100);
  assert.equal((await marks()).length, all.length + ENTRY_KINDS.length);
  assert.equal(await markNext(pool, 100), false);
});

test('what is marked reads the entries behind the last mark, and no others', async () => {
  const [account = ''] = await fill(LINES);
  while (await markNext(pool, 100));
  // Of this connection alone: what others read is not in it.
  const read = await transaction(pool, async (tx) => {
    const [before] = await tx.run(reads, []);
    await markedSums(tx, account, { first: 1n, last: BigInt(LINES) }, 'order');
    const [after] = await tx.run(reads, []);
    return Number(after?.rows ?? 0n) - Number(before?.rows ?? 0n);
  });
  // Two look-ups, and 321 entries.
  assert.ok(read > 100 && read <= 400, `${read} entries`);
});

const reads = statement<{ rows: bigint }>(
  'test_ledger_reads',
  `SELECT (coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::bigint AS rows FROM pg_stat_xact_user_tables
   WHERE relname = 'ledger_entries'`,
);
