import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import { type Job, jobPriority } from './job.ts';
import { priorityNumber } from './priority.ts';

const MINUTE_MS = 60_000;
/** Past the full minute, so that the database's clock is past it too. */
const LATE_MS = 250;

// One worker of all enqueues for a minute. A minute that lies ahead of the database's clock was written by a wrong one,
// and counts for nothing.
const CLAIM = `INSERT INTO schedules (name, last_minute) SELECT name, $2 FROM unnest($1::text[]) name
  ON CONFLICT (name) DO UPDATE SET last_minute = excluded.last_minute
  WHERE schedules.last_minute < excluded.last_minute OR schedules.last_minute > now() + interval '2 minutes'
  RETURNING name`;

// What has waited for ten minutes goes before the next lower priority begins, and so on: after half an hour everything waits
// its turn with what a person waits for, however much of that comes.
const RAISE = `UPDATE graphile_worker._private_jobs j SET priority = j.priority % 1000 + raised.class * 1000
  FROM (SELECT id, greatest(3 - floor(extract(epoch FROM now() - run_at) / 600), 0)::integer AS class
        FROM graphile_worker._private_jobs
        WHERE locked_at IS NULL AND attempts < max_attempts AND priority >= 1000 AND run_at < now() - interval '10 minutes') raised
  WHERE j.id = raised.id AND j.locked_at IS NULL AND j.priority / 1000 > raised.class`;

/**
 * Enqueues maintenance when it is due, in the words of cron, UTC. Each minute is served once by all workers together; a
 * minute in which none of them ran is left out, and the next one comes. What has waited for long is raised as well.
 */
export function startSchedule(options: {
  readonly jobs: readonly Job[];
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { jobs, pool, clock, log } = options;
  const items = parseCronItems(
    jobs.flatMap((job) =>
      job.kind === 'maintenance'
        ? [
            {
              task: job.name,
              match: job.schedule,
              identifier: job.name,
              options: { priority: priorityNumber(jobPriority(job)) },
            },
          ]
        : [],
    ),
  );
  let stopped = false;
  let under: Promise<void> = Promise.resolve();
  let timer = next();

  function next(): NodeJS.Timeout {
    const past = clock.now().epochMilliseconds % MINUTE_MS;
    return setTimeout(
      () => {
        under = enqueueDue(items, pool, clock.now())
          .catch((error) => log.warn({ err: error }, 'what is due this minute was not enqueued'))
          .then(() => {
            if (!stopped) timer = next();
          });
      },
      MINUTE_MS - past + LATE_MS,
    );
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await under;
    },
  };
}

/** Enqueues what is due in a minute, unless another worker has; answers the names. */
export async function enqueueDue(
  items: readonly ParsedCronItem[],
  pool: pg.Pool,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const at = now.toZonedDateTimeISO('UTC').round({ smallestUnit: 'minute', roundingMode: 'floor' });
  const digest = { min: at.minute, hour: at.hour, date: at.day, month: at.month, dow: at.dayOfWeek % 7 };
  const due = new Map(
    items
      .filter(({ match }) => match(digest))
      .map(({ identifier, options }) => [identifier, options.priority ?? priorityNumber('maintenance')]),
  );
  if (due.size === 0) return [];
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ name: string }>(CLAIM, [
      [...due.keys()],
      at.toInstant().toString(),
    ]);
    const names = rows.map(({ name }) => name);
    // The key lets one of each wait. One that failed is tried again until its next time comes, and that takes its place:
    // with a single attempt, a worker that died would have cost a day's run, and left a dead job.
    await client.query(
      `SELECT graphile_worker.add_jobs(ARRAY(
         SELECT (name, '{}', NULL, NULL, NULL, name, priority, NULL)::graphile_worker.job_spec
         FROM unnest($1::text[], $2::integer[]) u(name, priority)))`,
      [names, names.map((name) => due.get(name))],
    );
    if (names.length > 0) await client.query(RAISE);
    await client.query('COMMIT');
    return names;
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
