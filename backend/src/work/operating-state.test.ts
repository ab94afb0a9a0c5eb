import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { workFindings } from '../wire/health.ts';
import { readOperatingState } from './operating-state.ts';

const { pool, clock, database } = await openFixture();
const { default: pg } = await import('pg');
const owner = new pg.Client({ connectionString: database.url });
await owner.connect();
const state = () => readOperatingState(pool, clock.now());
const bad = async () => workFindings(await state()).flatMap(({ ok, what }) => (ok ? [] : [what]));

test('without a worker that lives it is said that nothing is delivered, and what waits since when', async (t) => {
  t.after(() => owner.end());
  assert.deepEqual(await bad(), ['no worker lives: nothing that was ordered is delivered']);
  await owner.query(
    "INSERT INTO worker_heartbeats VALUES ('silent', 'elsewhere', 1, now() - interval '40 seconds')",
  );
  assert.equal((await state()).workers, 0);
  await owner.query(
    "INSERT INTO worker_heartbeats SELECT 'w' || n, $1, 2, now() FROM generate_series(1, 8) n",
    [hostname()],
  );
  assert.equal((await state()).workers, 1, 'a process is one worker however many jobs it runs at once');
  assert.deepEqual(await bad(), []);
  await owner.query("SELECT graphile_worker.add_job('x', run_at => now() - interval '400 seconds')");
  await owner.query(
    `INSERT INTO mails (id, cause, locale, template, variables, state, attempts, due_at, created_at)
     SELECT gen_random_uuid(), 'x' || n, 'en', 'x', '{}', 'queued', n % 2, $1, $1 FROM generate_series(1, 12000) n`,
    [clock.now().subtract({ minutes: 11 }).toString()],
  );
  assert.deepEqual(await bad(), [
    'jobs that could run: 1, the oldest for 6 min',
    'mails that wait: 10000, the oldest for 11 min, tried before: 5000',
  ]);
});
