import { type Instant, isBefore } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Servers that were ordered before a moment so long ago that no transaction can add another. */
interface Counted {
  readonly before: Instant;
  readonly servers: number;
}

/** Longer than any transaction lives: its time is read before it waits for locks, and after that it is timed out. */
const SETTLED_MINUTES = 10;
const REMEMBERED = 10_000;

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

const since = statement<{ total: bigint; settled: bigint }>(
  'count_servers_since',
  `SELECT count(*) AS total, count(*) FILTER (WHERE created_at < $3) AS settled FROM services
   WHERE account_id = $1 AND product = 'server' AND created_at >= $2`,
);

const known = new WeakMap<Executor, Map<string, Counted>>();

/**
 * How many servers an account ever ordered, exactly. Services are never deleted and servers never change hands, so what
 * was counted once need not be again: a list of a hundred thousand costs what one of a hundred does.
 */
export async function countServers(db: Executor, accountId: string, now: Instant): Promise<number> {
  const settledAt = now.subtract({ minutes: SETTLED_MINUTES });
  const counts = known.get(db) ?? new Map<string, Counted>();
  known.set(db, counts);
  const remembered = counts.get(accountId) ?? { before: EPOCH, servers: 0 };
  // Of a clock that was set back nothing is known.
  const from = isBefore(settledAt, remembered.before) ? { before: EPOCH, servers: 0 } : remembered;
  const [row] = await db.run(since, [accountId, from.before, settledAt]);
  counts.delete(accountId);
  counts.set(accountId, { before: settledAt, servers: from.servers + Number(row?.settled ?? 0n) });
  const [oldest] = counts.keys();
  if (counts.size > REMEMBERED && oldest !== undefined) counts.delete(oldest);
  return from.servers + Number(row?.total ?? 0n);
}
