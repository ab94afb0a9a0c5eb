import { hostname } from 'node:os';
import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isRunning } from '../db/embedded/os-process.ts';

const HOST = hostname();
const BEAT_MS = 5_000;
const SILENT_SECONDS = 30;

/**
 * The queue by itself frees a dead worker's jobs only after four hours. So each worker says every five seconds
 * that it lives, and whoever beats also frees the jobs of the dead (rule C1): of processes of this machine that
 * are gone, at once; of all others, after thirty seconds of silence. A worker that was only slow may then
 * overlap with its successor, which drivers tolerate. Time is the database's here, because the silence of one
 * machine is measured by another.
 */
export function startHeartbeat({ events, pool, log }: { events: WorkerEvents; pool: pg.Pool; log: Logger }) {
  const ids = new Set<string>();
  const known = new Set<string>();
  events.on('worker:create', ({ worker }) => {
    ids.add(worker.workerId);
    soon();
  });

  async function beat(): Promise<void> {
    const beaten = [...ids].sort();
    await pool.query(
      `INSERT INTO worker_heartbeats (worker_id, host, pid, seen_at) SELECT id, $2, $3, now() FROM unnest($1::text[]) id
       ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at`,
      [beaten, HOST, process.pid],
    );
    for (const id of beaten) known.add(id);
    const { rows: neighbours } = await pool.query<{ pid: number }>(
      'SELECT DISTINCT pid FROM worker_heartbeats WHERE host = $1',
      [HOST],
    );
    const gone = neighbours.map((row) => row.pid).filter((pid) => !isRunning(pid));
    // Also whoever holds a job and has never been heard of: it died before its first beat.
    const { rows } = await pool.query<{ worker_id: string }>(
      `WITH silent AS (
         SELECT worker_id FROM worker_heartbeats
         WHERE seen_at < now() - make_interval(secs => $1) OR (host = $2 AND pid = ANY($3::int[]))
         ORDER BY worker_id FOR UPDATE SKIP LOCKED),
       removed AS (DELETE FROM worker_heartbeats WHERE worker_id IN (SELECT worker_id FROM silent) RETURNING worker_id)
       SELECT worker_id FROM removed
       UNION
       SELECT j.locked_by FROM graphile_worker.jobs j
       WHERE j.locked_by IS NOT NULL AND j.locked_at < now() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT FROM worker_heartbeats h WHERE h.worker_id = j.locked_by)`,
      [SILENT_SECONDS, HOST, gone],
    );
    if (rows.length === 0) return;
    await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [
      rows.map((row) => row.worker_id),
    ]);
    log.warn({ workers: rows.length }, 'freed the jobs of workers that are gone');
  }

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | null = null;
  const tick = () => {
    clearTimeout(timer);
    beating ??= beat()
      .then(() => (unknown() ? 0 : BEAT_MS))
      .catch((error) => {
        log.warn({ err: error }, 'the heartbeat failed');
        return BEAT_MS;
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
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      if (beating !== null) await beating;
      await pool.query('DELETE FROM worker_heartbeats WHERE worker_id = ANY($1::text[])', [[...ids]]);
    },
  };
}
