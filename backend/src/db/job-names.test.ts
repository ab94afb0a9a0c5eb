// Needs: database

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';

const RENAMING = readFileSync(new URL('./migrations/0077_job_names.sql', import.meta.url), 'utf8');

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

test('what waits under the name that a job had before an upgrade waits under the name of today, once', async () => {
  const waiting = [
    ['domain.enforce', 'domain.enforce:1'],
    ['domain.enforce', 'domain.enforce:2'],
    ['domain.converge', 'domain.converge:2'],
    ['service.life', 'service.life'],
    ['mail.deliver', 'mail.deliver'],
  ];
  for (const [name, key] of waiting)
    await client.query('SELECT graphile_worker.add_job($1, job_key => $2)', [name, key]);
  await client.query(RENAMING);
  const { rows } = await client.query<{ name: string; key: string }>(
    'SELECT task_identifier AS name, key FROM graphile_worker.jobs ORDER BY key',
  );
  assert.deepEqual(
    rows.map(({ name, key }) => [name, key]),
    [
      ['domain.converge', 'domain.converge:1'],
      ['domain.converge', 'domain.converge:2'],
      // The same work waits under its new name.
      ['domain.enforce', 'domain.enforce:2'],
      ['mail.deliver', 'mail.deliver'],
      ['service.lifecycle', 'service.lifecycle'],
    ],
  );
});
