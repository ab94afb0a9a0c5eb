import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/database.ts';
import { startDebianPostgres } from '../../test/debian-postgres.ts';
import { openFixture } from '../../test/fixture.ts';
import { withClient } from '../../test/template.ts';
import { timeTravel } from '../../test/time-travel.ts';
import { jobs } from '../jobs.generated.ts';
import { operations } from '../operations.generated.ts';
import { backUp, restore } from './backup.ts';
import { statementTexts } from './statement.ts';

// The oldest PostgreSQL that is served; all other tests run on the newest.
const server = await startDebianPostgres();
process.env.HOSTKEEP_TEST_POSTGRES = server.url;
const fixture = await openFixture();
const folder = mkdtempSync(join(tmpdir(), 'hostkeep-backup-'));
after(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

test(`what is bought and renewed on PostgreSQL ${server.version} is charged, and in the backup`, async () => {
  const { customer, clock, balanceOf, booksProblems, database } = fixture;
  const { license, travel, charges } = timeTravel(fixture);
  clock.set(Temporal.Instant.from('2027-01-10T09:00:00Z'));
  const who = await customer(100_00n);
  const id = await license(who);
  await travel('2027-03-15T00:00:00Z');
  assert.deepEqual(
    (await charges(id)).map(({ from }) => from),
    ['2027-01-10', '2027-02-10', '2027-03-10'],
  );
  assert.equal(await balanceOf(who), 100_00n - 3n * 399n);
  assert.deepEqual(await booksProblems(), []);

  const written = join(folder, 'whole');
  await backUp(database.url, written, '2027-03-15T00:00:00Z');
  const target = await createTestDatabase();
  await restore(target.url, written);
  const restored = await withClient(target.url, (client) =>
    client.query('SELECT balance::text FROM accounts WHERE id = $1', [who.accountId]),
  );
  assert.deepEqual(restored.rows, [{ balance: String(100_00n - 3n * 399n) }]);
  await target.drop();
});

test(`PostgreSQL ${server.version} understands every prepared statement`, async () => {
  assert.ok(operations.length > 0 && jobs.length > 0); // they bring the modules with their statements
  await withClient(fixture.database.url, async (client) => {
    for (const [name, text] of statementTexts())
      await client.query(`PREPARE "${name}" AS ${text}`).catch((error: Error) => {
        assert.fail(`${name}: ${error.message}`);
      });
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_prepared_statements',
    );
    assert.equal(rows[0]?.count, statementTexts().size);
  });
});
