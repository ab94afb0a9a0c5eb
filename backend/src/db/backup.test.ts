import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';
import { LICENSE } from '../../test/fixture.ts';
import { openTicketing } from '../../test/ticketing.ts';
import order from '../operations/panel/order.ts';
import { writeTogether } from '../wire/write.ts';
import { BackupError, backUp, restore } from './backup.ts';

const fixture = await openTicketing();
const folder = mkdtempSync(join(tmpdir(), 'hostkeep-backup-'));
after(() => rmSync(folder, { recursive: true }));

const who = await fixture.customer(10_000n);
await writeTogether(
  fixture.pool,
  [1, 2, 3].map(() =>
    fixture.item(order, who, {
      pack_uuid: LICENSE,
      duration: 1,
      tos: true,
      cancellation: true,
      ip_address: '192.0.2.1',
    }),
  ),
);
// Tickets are counted by a trigger, and found by columns that are made of others.
for (const subject of ['One', 'Two', 'Three']) await fixture.asked({ subject });
// What it writes later (who used which token, and when) is written before.
await fixture.runner.close();
const written = join(folder, 'whole');
const manifest = await backUp(fixture.database.url, written, '2027-01-15T12:00:00Z');

/** A digest of every row of every table that the backup names. */
async function contents(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const digests: Record<string, string> = {};
  for (const { name } of manifest.tables) {
    const { rows } = await client.query<{ digest: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest FROM ${name} t`,
    );
    digests[name] = rows[0]?.digest ?? '';
  }
  await client.end();
  return digests;
}

test('what is restored is what was backed up, and numbering goes on behind it', async () => {
  const target = await createTestDatabase();
  await restore(target.url, written);
  assert.deepEqual(await contents(target.url), await contents(fixture.database.url));
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  const { rows } = await client.query<{ next: string; highest: string }>(
    `SELECT nextval(pg_get_serial_sequence('services', 'number'))::text AS next, (SELECT max(number) FROM services)::text AS highest`,
  );
  await client.end();
  assert.equal(Number(rows[0]?.next), Number(rows[0]?.highest) + 1);
  await target.drop();
});

test('a backup is put into an empty installation only', async () => {
  const before = await contents(fixture.database.url);
  await assert.rejects(restore(fixture.database.url, written), BackupError);
  assert.deepEqual(await contents(fixture.database.url), before);
});

test('a damaged or unfinished backup is refused, and nothing of it stays', async () => {
  const target = await createTestDatabase();
  const empty = await contents(target.url);
  const damaged = join(folder, 'damaged');
  await backUp(fixture.database.url, damaged, '2027-01-15T12:00:00Z');
  truncateSync(join(damaged, 'services.copy.gz'), 30);
  await assert.rejects(restore(target.url, damaged));
  writeFileSync(
    join(damaged, 'manifest.json'),
    JSON.stringify({ ...manifest, migrations: ['0000_other.sql'] }),
  );
  await assert.rejects(restore(target.url, damaged), BackupError);
  rmSync(join(damaged, 'manifest.json'));
  await assert.rejects(restore(target.url, damaged), BackupError);
  assert.deepEqual(await contents(target.url), empty);
  await target.drop();
});
