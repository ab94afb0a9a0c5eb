import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Something that happened to an account. */
export interface LoggedEvent {
  readonly id: string;
  readonly account_id: string;
  readonly sequence: bigint;
  readonly type: string;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly body: unknown;
  readonly created_at: Instant;
}

export interface EventFilter {
  readonly types: readonly string[] | null;
  /** The things that a token may see; null: all. */
  readonly resources: readonly string[] | null;
}

/** Events that a filtered page looks through at most: what matches may be rare among millions. */
export const MOST_SEARCHED = 5_000;

// Each month's partition gives its rows by its own index, in the order of the sequence: one that holds nothing
// after the cursor costs a look at its index.
export const eventsAfterText = `WITH window_of AS (
    SELECT * FROM events WHERE account_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3)
  SELECT w.*, s.through FROM (SELECT max(sequence) AS through FROM window_of) s
  LEFT JOIN LATERAL (
    SELECT * FROM window_of
    WHERE ($4::text[] IS NULL OR type = ANY($4)) AND ($5::uuid[] IS NULL OR resource_id = ANY($5))
    ORDER BY sequence LIMIT $6) w ON true
  ORDER BY w.sequence`;
const after = statement<(LoggedEvent | { readonly id: null }) & { readonly through: bigint | null }>(
  'events_after',
  eventsAfterText,
);
const newest = statement<LoggedEvent>(
  'newest_events',
  'SELECT * FROM events WHERE account_id = $1 ORDER BY sequence DESC LIMIT $2',
);
const lastSequence = statement<{ event_seq: bigint }>(
  'last_event_sequence',
  'SELECT event_seq FROM accounts WHERE id = $1',
);

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** Up to where the log was looked through: the cursor of the next page. */
  readonly through: bigint;
  readonly more: boolean;
}

/**
 * The events after a cursor, the oldest first. An event is never passed over: sequences are dense and become
 * visible in their order, since whoever writes one has the account locked.
 */
export async function eventsAfter(
  db: Executor,
  accountId: string,
  cursor: bigint,
  filter: EventFilter,
  limit: number,
): Promise<EventPage> {
  const searched = filter.types === null && filter.resources === null ? limit : MOST_SEARCHED;
  const [[account], rows] = await Promise.all([
    db.run(lastSequence, [accountId]),
    db.run(after, [accountId, cursor, searched, filter.types, filter.resources, limit]),
  ]);
  const events = rows.flatMap(({ through, ...row }) => (row.id === null ? [] : [row]));
  const full = events.length === limit ? events.at(-1)?.sequence : undefined;
  const through = full ?? rows[0]?.through ?? cursor;
  return { events, through, more: through < (account?.event_seq ?? 0n) };
}

/** The newest first. */
export function newestEvents(db: Executor, accountId: string, limit: number): Promise<LoggedEvent[]> {
  return db.run(newest, [accountId, limit]);
}
