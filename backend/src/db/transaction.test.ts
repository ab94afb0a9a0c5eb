import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/database.ts';
import { lossyProxy } from '../../test/lossy-proxy.ts';
import { APPLICATION_ROLE } from './migrate.ts';
import { Pool } from './pool.ts';
import { sqlState, TransactionAborted, transaction, violatedConstraint } from './transaction.ts';

const database = await createTestDatabase();
const proxy = await lossyProxy(database.url);
const pool = new Pool({ url: proxy.url, size: 3, name: 'test-lossy', role: APPLICATION_ROLE });
after(async () => {
  await pool.end();
  await database.drop();
});

const now = Temporal.Instant.from('2027-01-01T00:00:00Z');
const write = (name: string) =>
  transaction(pool, async (tx) => {
    await tx.kysely.insertInto('settings').values({ name, value: 'true', updated_at: now }).execute();
    return name;
  });
const exists = async (name: string) =>
  (await pool.kysely.selectFrom('settings').select('name').where('name', '=', name).executeTakeFirst()) !==
  undefined;

test('a COMMIT whose answer is lost is found to have taken effect', async () => {
  proxy.state.lose = 'after';
  assert.equal(await write('lost-answer'), 'lost-answer');
  assert.equal(proxy.state.lost, 1);
  assert.ok(await exists('lost-answer'));
});

test('a COMMIT that never arrived is found to be rolled back', async () => {
  proxy.state.lose = 'before';
  await assert.rejects(write('lost-commit'), TransactionAborted);
  assert.equal(proxy.state.lost, 2);
  assert.ok(!(await exists('lost-commit')));
});

test('a statement that fails unawaited cannot be committed over', async () => {
  const attempt = transaction(pool, async (tx) => {
    await tx.kysely.insertInto('settings').values({ name: 'half', value: '1', updated_at: now }).execute();
    tx.kysely
      .insertInto('settings')
      .values({ name: 'half', value: '2', updated_at: now })
      .execute()
      .catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
  });
  await assert.rejects(attempt, TransactionAborted);
  assert.ok(!(await exists('half')));
});

test('the application cannot change or remove what is in the ledger', async () => {
  for (const statement of [
    'UPDATE ledger_entries SET amount = 0',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries',
    'UPDATE ledger_postings SET amount = 1',
    'DELETE FROM ledger_postings',
    'UPDATE catalog_versions SET note = $$x$$',
    'DELETE FROM accounts',
    'ALTER TABLE ledger_postings DISABLE TRIGGER ALL',
  ]) {
    await assert.rejects(pool.pg.query(statement), (error) => sqlState(error) === '42501', statement);
  }
});

test('postings that do not sum to zero are refused, whatever the statement', async () => {
  const id = `00000000-0000-4000-8000-${randomBytes(6).toString('hex')}`;
  const insert = (...amounts: number[]) =>
    pool.pg.query(
      `INSERT INTO ledger_postings (entry_id, position, ledger_account, currency, amount)
       SELECT $1, n, 'test', 'EUR', amount FROM unnest($2::bigint[]) WITH ORDINALITY u(amount, n)`,
      [id, amounts],
    );
  await assert.rejects(insert(100, -99), (error) => violatedConstraint(error) === 'ledger_postings_zero_sum');
  await assert.rejects(insert(100), (error) => violatedConstraint(error) === 'ledger_postings_zero_sum');
  await insert(100, -99, -1);
});
