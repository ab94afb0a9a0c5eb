import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { startOf } from '../db/embedded/os-process.ts';

const BEAT_MS = 5_000;
const SILENT_SECONDS = 30;

export interface HeartbeatOptions {
  readonly events: WorkerEvents;
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly beatMs?: number;
  readonly silentSeconds?: number;
}

/**
 * The queue by itself frees a dead worker's jobs only after four hours. So each worker says every five seconds that it
 * lives, under the id that it locks jobs with, and at each beat frees the jobs of the dead (rule C1):
 * - of processes of this machine that are gone, at once; one that runs keeps its jobs, however long they take and
 *   however late its beat is;
 * - of other machines, after thirty seconds of silence. A worker that was only cut off may then overlap with its
 *   successor, which drivers tolerate. A worker that did not reach the database itself judges no silence until it has
 *   reached it for as long: the database was away for all, and all of them live.
 * Jobs that this worker holds without running them, because the answer that gave it them was lost, are freed as well.
 * Time is the database's, because the silence of one machine is measured by another.
 */
export function startHeartbeat(options: HeartbeatOptions) {
  const { events, pool, log, beatMs = BEAT_MS, silentSeconds = SILENT_SECONDS } = options;
  const started = startOf(process.pid) ?? '';
  const ids = new Set<string>();
  const known = new Set<string>();
  /** Also those that end before their first beat. */
  const every = new Set<string>();
  const running = new Set<string>();
  /** Have ended here, which the queue may not know yet. */
  const ending = new Set<string>();
  events.on('pool:create', ({ workerPool }) => {
    ids.add(workerPool.id);
    every.add(workerPool.id);
    soon();
  });
  events.on('pool:release', ({ workerPool }) => ids.delete(workerPool.id));
  events.on('job:start', ({ job }) => running.add(String(job.id)));
  events.on('job:complete', ({ job }) => {
    ending.add(String(job.id));
    running.delete(String(job.id));
  });

  /** Since when this worker reaches the database without a pause in which it might have missed the others' beats. */
  let reachedSince = performance.now();
  let beatenAt = reachedSince;

  async function beat(): Promise<void> {
    if (performance.now() - beatenAt > (silentSeconds * 1_000) / 2) reachedSince = performance.now();
    const beaten = [...ids].sort();
    await pool.query(
      `INSERT INTO worker_heartbeats (worker_id, host, pid, started, seen_at)
       SELECT id, $2, $3, $4, now() FROM unnest($1::text[]) id
       ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at`,
      [beaten, MACHINE, process.pid, started],
    );
    for (const id of beaten) known.add(id);
    beatenAt = performance.now();
    await freeLost(beaten);
    const { rows: neighbours } = await pool.query<{ worker_id: string; pid: number; started: string }>(
      'SELECT worker_id, pid, started FROM worker_heartbeats WHERE host = $1',
      [MACHINE],
    );
    const gone = neighbours
      .filter((one) => startOf(one.pid) !== one.started)
      .map(({ worker_id }) => worker_id);
    // Also what holds a job and has never been heard of: it died before its first beat.
    const { rows } = await pool.query<{ worker_id: string }>(
      `WITH silent AS (
         SELECT worker_id FROM worker_heartbeats
         WHERE worker_id = ANY($3::text[]) OR ($4 AND host <> $2 AND seen_at < now() - make_interval(secs => $1))
         ORDER BY worker_id FOR UPDATE SKIP LOCKED),
       removed AS (DELETE FROM worker_heartbeats WHERE worker_id IN (SELECT worker_id FROM silent) RETURNING worker_id)
       SELECT worker_id FROM removed
       UNION
       SELECT j.locked_by FROM graphile_worker.jobs j
       WHERE $4 AND j.locked_by IS NOT NULL AND j.locked_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT FROM worker_heartbeats h WHERE h.worker_id = j.locked_by)`,
      [silentSeconds, MACHINE, gone, performance.now() - reachedSince > silentSeconds * 1_000],
    );
    if (rows.length === 0) return;
    await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [
      rows.map((row) => row.worker_id),
    ]);
    log.warn({ workers: rows.length }, 'freed the jobs of workers that are gone');
  }

  /** A job that was given in an answer that never came is locked by a worker that does not know of it. */
  async function freeLost(beaten: readonly string[]): Promise<void> {
    const ended = [...ending];
    const { rows: unwritten } = await pool.query<{ id: string }>(
      'SELECT id::text FROM graphile_worker._private_jobs WHERE id = ANY($1::bigint[]) AND locked_by = ANY($2::text[])',
      [ended, beaten],
    );
    for (const id of ended) if (!unwritten.some((row) => row.id === id)) ending.delete(id);
    const { rowCount } = await pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL
       WHERE locked_by = ANY($1::text[]) AND locked_at < now() - make_interval(secs => $2) AND NOT id = ANY($3::bigint[])`,
      [beaten, silentSeconds, [...running, ...ending]],
    );
    if (rowCount) log.warn({ jobs: rowCount }, 'freed jobs that were given to this worker in a lost answer');
  }

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | null = null;
  const tick = () => {
    clearTimeout(timer);
    beating ??= beat()
      .then(() => (unknown() ? 0 : beatMs))
      .catch((error) => {
        reachedSince = performance.now();
        log.warn({ err: error }, 'the heartbeat failed');
        return beatMs;
      })
      .then((pause) => {
        beating = null;
        if (!stopped) timer = setTimeout(tick, pause);
      });
  };
  /** New workers are made known at once: one that dies before its first beat is found only by its silence. */
  const soon = () => {
    if (beating === null && !stopped) {
      clearTimeout(timer);
      timer = setTimeout(tick, 0);
    }
  };
  const unknown = () => [...ids].some((id) => !known.has(id));
  tick();
  return {
    /** Leaves; jobs that are still held are free at once. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      if (beating !== null) await beating;
      // Two statements: PostgreSQL never evaluates a WITH that nothing reads from.
      await pool
        .query('SELECT graphile_worker.force_unlock_workers($1::text[])', [[...every]])
        .then(() =>
          pool.query('DELETE FROM worker_heartbeats WHERE worker_id = ANY($1::text[])', [[...every]]),
        )
        .catch((error) => log.warn({ err: error }, 'the heartbeat could not say that it ends'));
    },
  };
}

/** Where a process's number means something: this boot of this machine, and its namespace of process numbers. */
export const MACHINE = [
  hostname(),
  attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  attempt(() => readlinkSync('/proc/self/ns/pid')),
].join(' ');

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
