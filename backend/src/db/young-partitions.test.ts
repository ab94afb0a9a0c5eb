// Needs: database

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/database.ts';
import { APPLICATION_ROLE } from './migrate.ts';
import { Pool } from './pool.ts';

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 1, name: 'partitions', role: APPLICATION_ROLE });
after(async () => {
  await pool.end();
  await database.drop();
});

const drop = (months: number) =>
  pool.pg.query<{ dropped: boolean }>(
    `SELECT ensure_month_partition('audit', month::date),
       drop_month_partition('audit', month::date) AS dropped
     FROM date_trunc('month', now() - make_interval(months => $1)) month`,
    [months],
  );

test('the application drops months that are over two years old, and no younger ones', async () => {
  for (const months of [0, 1, 12, 23]) await assert.rejects(drop(months), /younger than two years/);
  assert.equal((await drop(25)).rows[0]?.dropped, true);
});
