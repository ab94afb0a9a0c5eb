import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { ticketsWith } from './search.ts';
import { TICKET_COLUMNS, type Ticket, type TicketState } from './ticket.ts';

export interface TicketFilter {
  readonly state?: TicketState | undefined;
  readonly department?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly search?: string | undefined;
  /** The things that a token may see; null: all. */
  readonly only: readonly string[] | null;
}

export interface TicketPage {
  readonly sort: 'updated_at' | 'created_at';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

export type TicketCounts = Readonly<Record<TicketState, number>>;

const counts = statement<{ state: TicketState; tickets: bigint }>(
  'ticket_counts',
  'SELECT state, tickets FROM ticket_counts WHERE account_id = $1',
);
const countsOf = statement<{ state: TicketState; tickets: bigint }>(
  'ticket_counts_of',
  `SELECT state, count(*) AS tickets FROM tickets WHERE account_id = $1
     AND coalesce(resource_id, id) = ANY($2::uuid[]) GROUP BY state`,
);

/** How many tickets a customer has in each state; `only`: about the things that a token may see. */
export async function ticketCountsOf(
  db: Executor,
  accountId: string,
  only: readonly string[] | null,
): Promise<TicketCounts> {
  const rows = only === null ? await db.run(counts, [accountId]) : await db.run(countsOf, [accountId, only]);
  const of = (state: TicketState) => Number(rows.find((row) => row.state === state)?.tickets ?? 0n);
  return { open: of('open'), answered: of('answered'), on_hold: of('on_hold'), closed: of('closed') };
}

/** A customer's tickets, how many there are in each state, and how many the filter finds. */
export async function listTickets(
  db: Executor,
  accountId: string,
  filter: TicketFilter,
  page: TicketPage,
): Promise<{
  readonly tickets: readonly Ticket[];
  readonly counts: TicketCounts;
  readonly total: number;
}> {
  const { state, department, resourceId, search, only } = filter;
  const where: RawBuilder<unknown>[] = [sql`t.account_id = ${accountId}`];
  if (state !== undefined) where.push(sql`t.state = ${state}`);
  if (department !== undefined) where.push(sql`t.department = ${department}`);
  if (resourceId !== undefined) where.push(sql`t.resource_id = ${resourceId}`);
  if (only !== null) where.push(sql`coalesce(t.resource_id, t.id) = ANY(${[...only]}::uuid[])`);
  const words = search?.trim() ?? '';
  if (words !== '') where.push(sql`t.id = ANY(${[...(await ticketsWith(db, words, accountId))]}::uuid[])`);
  const found = sql`FROM tickets t WHERE ${sql.join(where, sql` AND `)}`;
  // Counted already, unless a filter needs more than states.
  const counted = words === '' && department === undefined && resourceId === undefined;
  const [rows, inStates, total] = await Promise.all([
    ticketRows(db, found, page),
    ticketCountsOf(db, accountId, only),
    counted ? null : countRows(db, found),
  ]);
  const sum = Object.values(inStates).reduce((all, tickets) => all + tickets, 0);
  return { tickets: rows, counts: inStates, total: total ?? (state === undefined ? sum : inStates[state]) };
}

/** A page of the tickets `t` that `found` (from FROM on) finds. */
export async function ticketRows(
  db: Executor,
  found: RawBuilder<unknown>,
  page: Omit<TicketPage, 'sort'> & { readonly sort: TicketPage['sort'] | 'due_at' },
): Promise<readonly Ticket[]> {
  const [sort, order] = [sql.ref(`t.${page.sort}`), sql.raw(page.order)];
  const query = sql<Ticket>`SELECT ${sql.raw(TICKET_COLUMNS)} ${found} ORDER BY ${sort} ${order}, t.id ${order}
    LIMIT ${page.limit} OFFSET ${page.offset}`;
  return (await query.execute(db.kysely)).rows;
}

async function countRows(db: Executor, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`SELECT count(*) AS total ${found}`.execute(db.kysely);
  return Number(rows[0]?.total ?? 0n);
}
