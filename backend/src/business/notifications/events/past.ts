import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { LoggedEvent } from './log.ts';

const bySequence = statement<LoggedEvent>(
  'events_by_sequence',
  'SELECT * FROM events WHERE account_id = $1 AND sequence = ANY($2::bigint[]) AND created_at >= $3',
);
const between = statement<LoggedEvent>(
  'events_between',
  `SELECT * FROM events WHERE account_id = $1 AND sequence BETWEEN $2 AND $3 AND created_at >= $4 ORDER BY sequence`,
);
// No index knows an event by its id: that would cost each order. The account's months since then are looked through.
const byId = statement<LoggedEvent>(
  'event_by_id',
  'SELECT * FROM events WHERE account_id = $1 AND created_at >= $2 AND id = $3',
);

/** Those of an account's events with these sequences that are no older than `since`, in any order. */
export function eventsAt(
  db: Executor,
  accountId: string,
  sequences: readonly bigint[],
  since: Instant,
): Promise<LoggedEvent[]> {
  return db.run(bySequence, [accountId, sequences, since]);
}

/** Those from one sequence to another, both included, that are no older than `since`, in their order. */
export function eventsBetween(
  db: Executor,
  accountId: string,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  since: Instant,
): Promise<LoggedEvent[]> {
  return db.run(between, [accountId, from, to, since]);
}

/** One of an account's events that is no older than `since`; null: there is no such event. */
export async function eventOf(
  db: Executor,
  accountId: string,
  id: string,
  since: Instant,
): Promise<LoggedEvent | null> {
  const [event] = await db.run(byId, [accountId, since, id]);
  return event ?? null;
}
