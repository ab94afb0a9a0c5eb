import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cases } from '../test/cases/server.ts';
import { createTestDatabase } from '../test/database.ts';
import { openHarness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { parseCommandLine } from './config.ts';
import type { Pool } from './db/pool.ts';
import { openInstallation } from './installation.ts';

const site = await openHarness();

/** Takes every connection of a pool; gives back what lets them go. */
async function taken(pool: Pool): Promise<() => void> {
  const clients = await Promise.all(Array.from({ length: pool.pg.options.max }, () => pool.pg.connect()));
  return () => {
    for (const client of clients) client.release();
  };
}

test('jobs and requests take no connections from each other', async () => {
  const { jobPool, writePool, readPool } = site.installation;
  const prepared = await cases['server/order']?.succeeds(site);
  assert.ok(prepared);
  const letJobsGo = await taken(jobPool);
  let letRequestsGo: (() => void) | undefined;
  try {
    const { server_uuid: id } = await site.data('server/order', prepared);
    letRequestsGo = await taken(writePool);
    letJobsGo();
    await until(
      async () => {
        const { rows } = await readPool.pg.query('SELECT FROM services WHERE id = $1 AND state = $2', [
          id,
          'active',
        ]);
        return rows[0];
      },
      () => 'the job waits for connections of requests',
      20,
    );
  } finally {
    letRequestsGo?.();
  }
});

test('statements of requests have ten seconds where requests are served, those of jobs thirty', async () => {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'hostkeep-installation-'));
  after(() => rmSync(folder, { recursive: true }));
  const { config } = parseCommandLine([], {
    DATABASE_URL: database.url,
    HOSTKEEP_DATA: join(folder, 'data'),
    HOSTKEEP_LOG_LEVEL: 'silent',
  });
  const limits = async (serves: boolean) => {
    const installation = await openInstallation(config, 'test', { serves });
    try {
      const { readPool, writePool, counterPool, jobPool } = installation;
      const shown = [];
      for (const { pg } of [readPool, writePool, counterPool, jobPool])
        shown.push((await pg.query<{ statement_timeout: string }>('SHOW statement_timeout')).rows[0]);
      return shown.map((row) => row?.statement_timeout);
    } finally {
      await installation.close();
    }
  };
  assert.deepEqual(await limits(true), ['10s', '10s', '10s', '30s']);
  assert.deepEqual(await limits(false), ['30s', '30s', '30s', '30s']);
  await database.drop();
});
