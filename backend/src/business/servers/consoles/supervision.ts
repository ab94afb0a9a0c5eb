import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type EndReason, STANDING, WHY_NOT } from './console-state.ts';

/** What went through a console so far. */
export interface ConsoleBytes {
  readonly fromMachine: number;
  readonly toMachine: number;
}

const check = statement<{ id: string; reason: EndReason }>(
  'check_console_sessions',
  `SELECT id, reason FROM (
     SELECT c.id, CASE WHEN c.ended_at IS NOT NULL THEN c.reason WHEN c.limit_at <= $2 THEN 'time_over' ELSE ${WHY_NOT} END
       AS reason
     FROM console_sessions c ${STANDING} WHERE c.id = ANY($1::uuid[])) found
   WHERE reason IS NOT NULL`,
);

/** Which of these sessions may not go on, and why. */
export async function endingSessions(
  db: Executor,
  ids: readonly string[],
  now: Instant,
): Promise<readonly { readonly id: string; readonly reason: EndReason }[]> {
  return await db.run(check, [ids, now]);
}

const see = statement<object>(
  'see_console_sessions',
  `UPDATE console_sessions c
   SET seen_at = $4, bytes_from_machine = n.from_machine, bytes_to_machine = n.to_machine
   FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) n(id, from_machine, to_machine)
   WHERE c.id = n.id AND c.ended_at IS NULL`,
);

/** Says that these sessions go on, and what went through them. */
export async function seeSessions(
  db: Executor,
  sessions: readonly { readonly id: string; readonly bytes: ConsoleBytes }[],
  now: Instant,
): Promise<void> {
  const ids = sessions.map(({ id }) => id);
  const from = sessions.map(({ bytes }) => bytes.fromMachine);
  const to = sessions.map(({ bytes }) => bytes.toMachine);
  await db.run(see, [ids, from, to, now]);
}

const end = statement<object>(
  'end_console_session',
  `UPDATE console_sessions SET ended_at = $2, reason = $3, bytes_from_machine = $4, bytes_to_machine = $5
   WHERE id = $1 AND ended_at IS NULL`,
);

/** Keeps how a session ended. */
export async function endSession(
  db: Executor,
  id: string,
  { reason, bytes }: { readonly reason: EndReason; readonly bytes: ConsoleBytes },
  now: Instant,
): Promise<void> {
  await db.run(end, [id, now, reason, bytes.fromMachine, bytes.toMachine]);
}

const endSilent = statement<object>(
  'end_silent_console_sessions',
  `UPDATE console_sessions SET ended_at = seen_at, reason = 'lost' WHERE ended_at IS NULL AND seen_at <= $1`,
);

/** Ends what no process carries any more: the books say so until then. */
export async function endSilentSessions(db: Executor, silentSince: Instant): Promise<void> {
  await db.run(endSilent, [silentSince]);
}
