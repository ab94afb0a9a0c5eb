import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { ticketRows } from './list.ts';
import { ticketsWith } from './search.ts';
import type { Priority, Ticket, TicketState } from './ticket.ts';

export interface QueueFilter {
  readonly state?: TicketState | undefined;
  readonly department?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly accountId?: string | undefined;
  /** An operator's; null: nobody's. */
  readonly assignedTo?: string | null | undefined;
  readonly overdueAt?: Instant | undefined;
  readonly unread?: boolean | undefined;
  readonly search?: string | undefined;
}

export interface QueuePage {
  readonly sort: 'due_at' | 'updated_at';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** Nothing beyond can be paged to: more than this is not counted. */
export const MOST_COUNTED = 10_001;

/**
 * The tickets of all customers that an operator asks for. By `due_at` those that wait for an answer, the most urgent
 * first; those without a promise come last.
 */
export async function listQueue(
  db: Executor,
  filter: QueueFilter,
  page: QueuePage,
): Promise<{ readonly tickets: readonly Ticket[]; readonly total: number }> {
  const { state, department, priority, accountId, assignedTo, overdueAt, unread, search } = filter;
  const where: RawBuilder<unknown>[] = [];
  // What waits for an answer is open. What nobody has read may be in a closed ticket: a mail opens none.
  const waiting = state === undefined && page.sort === 'due_at' && unread !== true;
  // Written out, so that the index of what is open serves it.
  if (state === 'open' || waiting) where.push(sql`t.state = 'open'`);
  else if (state !== undefined) where.push(sql`t.state = ${state}`);
  if (accountId !== undefined) where.push(sql`t.account_id = ${accountId}`);
  if (department !== undefined) where.push(sql`t.department = ${department}`);
  if (priority !== undefined) where.push(sql`t.priority = ${priority}`);
  if (assignedTo !== undefined)
    where.push(assignedTo === null ? sql`t.assigned_to IS NULL` : sql`t.assigned_to = ${assignedTo}`);
  if (overdueAt !== undefined) where.push(sql`t.state = 'open' AND t.due_at < ${overdueAt}`);
  if (unread !== undefined) where.push(unread ? sql`t.staff_unread > 0` : sql`t.staff_unread = 0`);
  const words = search?.trim() ?? '';
  if (words !== '') where.push(sql`t.id = ANY(${[...(await ticketsWith(db, words, null))]}::uuid[])`);
  const found =
    where.length === 0 ? sql`FROM tickets t` : sql`FROM tickets t WHERE ${sql.join(where, sql` AND `)}`;
  const count = sql<{
    total: bigint;
  }>`SELECT count(*) AS total FROM (SELECT 1 ${found} LIMIT ${MOST_COUNTED}) c`;
  const [tickets, { rows }] = await Promise.all([ticketRows(db, found, page), count.execute(db.kysely)]);
  return { tickets, total: Number(rows[0]?.total ?? 0n) };
}

/** What there is to do, of all customers. */
export interface Workload {
  readonly open: number;
  readonly on_hold: number;
  readonly overdue: number;
  readonly unassigned: number;
  /** Tickets with something that no operator has read. */
  readonly unread: number;
  /** Mails that wait for a decision. */
  readonly quarantined: number;
}

// Each from an index of just what it counts: what is being worked on is little, whatever there has been.
const load = statement<Workload>(
  'load_workload',
  `SELECT o.*, (SELECT count(*)::int FROM tickets WHERE state = 'on_hold') AS on_hold,
     (SELECT count(*)::int FROM tickets WHERE staff_unread > 0) AS unread,
     (SELECT count(*)::int FROM incoming_mails WHERE state = 'quarantined') AS quarantined
   FROM (
     SELECT count(*)::int AS open, count(*) FILTER (WHERE due_at < $1)::int AS overdue,
       count(*) FILTER (WHERE assigned_to IS NULL)::int AS unassigned
     FROM tickets WHERE state = 'open') o`,
);

export async function workloadOf(db: Executor, now: Instant): Promise<Workload> {
  const [found] = await db.run(load, [now]);
  return found ?? { open: 0, on_hold: 0, overdue: 0, unassigned: 0, unread: 0, quarantined: 0 };
}
