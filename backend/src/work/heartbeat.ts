import type { Runner } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';

const BEAT_MS = 5_000;
const SILENT_SECONDS = 30;

/**
 * The queue by itself frees a dead worker's jobs only after four hours. So each worker says every five
 * seconds that it lives, and whoever beats also frees the jobs of those that have been silent for thirty
 * (rule C1). A worker that was only slow may then overlap with its successor, which drivers tolerate.
 * Time is the database's here, because the silence of one machine is measured by another.
 */
export function startHeartbeat({ runner, pool, log }: { runner: Runner; pool: pg.Pool; log: Logger }) {
  const ids = new Set<string>();
  runner.events.on('worker:create', ({ worker }) => ids.add(worker.workerId));
  runner.events.on('worker:getJob:start', ({ worker }) => ids.add(worker.workerId));

  async function beat(): Promise<void> {
    await pool.query(
      `INSERT INTO worker_heartbeats (worker_id, seen_at) SELECT id, now() FROM unnest($1::text[]) id
       ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at`,
      [[...ids].sort()],
    );
    const { rows } = await pool.query<{ worker_id: string }>(
      `DELETE FROM worker_heartbeats WHERE worker_id IN (
         SELECT worker_id FROM worker_heartbeats WHERE seen_at < now() - make_interval(secs => $1)
         ORDER BY worker_id FOR UPDATE SKIP LOCKED)
       RETURNING worker_id`,
      [SILENT_SECONDS],
    );
    if (rows.length === 0) return;
    await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [
      rows.map((row) => row.worker_id),
    ]);
    log.warn({ workers: rows.length }, 'freed the jobs of workers that fell silent');
  }

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const tick = () => {
    beating = beat()
      .catch((error) => log.warn({ err: error }, 'the heartbeat failed'))
      .finally(() => {
        if (!stopped) timer = setTimeout(tick, BEAT_MS);
      });
  };
  tick();
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await beating;
      await pool.query('DELETE FROM worker_heartbeats WHERE worker_id = ANY($1::text[])', [[...ids]]);
    },
  };
}
