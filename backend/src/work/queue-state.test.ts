import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { clockFinding, queueFindings } from '../wire/health.ts';
import { Metrics } from '../wire/metrics.ts';
import { queueState } from './queue-state.ts';

const database = await createTestDatabase();
const pool = new Pool({ url: database.url, size: 2, name: 'queue-state', role: APPLICATION_ROLE });
const owner = new pg.Client({ connectionString: database.url });
await owner.connect();
after(async () => {
  await owner.end();
  await pool.end();
  await database.drop();
});

test('the state of the queue counts what is ready, waits, runs and is dead, and knows the schedule', async () => {
  assert.deepEqual(await queueState(pool), {
    queueDepths: [],
    deadJobs: 0,
    lastCronRun: null,
    lastCronRunAge: null,
  });
  await owner.query(`SELECT graphile_worker.add_job('a.ready', run_at => now() - interval '90 seconds'),
    graphile_worker.add_job('a.ready', run_at => now() + interval '1 hour'),
    graphile_worker.add_job('a.dead', job_key => 'a.dead', run_at => now() - interval '1 hour'),
    graphile_worker.add_job('a.running')`);
  await owner.query(`UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE run_at < now() - interval '30 minutes';
    UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'w'
    WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'a.running');
    INSERT INTO schedules (name, last_minute)
    VALUES ('x', now() + interval '2 hours');
    INSERT INTO worker_heartbeats (worker_id, host, pid, seen_at) VALUES ('one', 'h', 1, now()), ('other', 'h', 2, now() - interval '1 hour')`);
  const state = await queueState(pool);
  assert.deepEqual(state.queueDepths, [
    { job: 'a.dead', ready: 0, later: 0, running: 0, dead: 1 },
    { job: 'a.ready', ready: 1, later: 1, running: 0, dead: 0 },
    { job: 'a.running', ready: 0, later: 0, running: 1, dead: 0 },
  ]);
  assert.equal(state.deadJobs, 1);
  assert.ok(state.lastCronRunAge !== null && state.lastCronRunAge < 0, 'a time ahead shows as such');
  const bad = async () => queueFindings(await queueState(pool)).flatMap(({ ok, what }) => (ok ? [] : [what]));
  const [dead, ahead] = await bad();
  assert.equal(dead, 'jobs that used up their attempts: 1: a.dead (1)');
  assert.match(ahead ?? '', /^maintenance was last due \d+ min in the future$/);
  const due = (since: string) =>
    owner.query('UPDATE schedules SET last_minute = now() - $1::interval', [since]);
  await due('20 minutes');
  assert.deepEqual((await bad()).slice(1), ['maintenance was last due 20 min ago']);
  await due('4 minutes');
  assert.equal((await bad()).length, 1);
  await due('-1 minute');
  assert.equal((await bad()).length, 1, 'clocks differ a little');
});

test('the metrics say what is in the queue, when maintenance ran, and how pools and clock are', async () => {
  const metrics = new Metrics({ pools: { one: pool }, machineAhead: () => -2_500 });
  const both = [1, 2].map(() => metrics.read(pool, Temporal.Instant.from('2027-01-15T12:00:00Z')));
  assert.equal(both[0], both[1], 'who asks meanwhile shares the answer');
  const text = (await both[0]) ?? '';
  for (const line of [
    /^hostkeep_queue_jobs\{job="a.ready",state="later"\} 1$/m,
    /^hostkeep_queue_jobs\{job="a.dead",state="dead"\} 1$/m,
    /^hostkeep_jobs_dead 1$/m,
    /^hostkeep_schedule_age_seconds -?\d/m,
    /^hostkeep_pool_connections\{pool="one",state="(idle|busy)"\} [12]$/m,
    /^hostkeep_pool_waiting\{pool="one"\} 0$/m,
    /^hostkeep_clock_ahead_seconds -2.5$/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
  ])
    assert.match(text, line);
});

test('a clock that is off is told in both directions, with what to do', () => {
  const told = [0, 1_900, -1_900, 2_500, -61_000].map(clockFinding).map(({ ok, what }) => [ok, what]);
  assert.deepEqual(told.slice(3), [
    [false, "the clock of this machine is 2.5 s ahead of the database's"],
    [false, "the clock of this machine is 61 s behind the database's"],
  ]);
  assert.deepEqual(
    told.slice(0, 3).map(([ok]) => ok),
    [true, true, true],
  );
});
