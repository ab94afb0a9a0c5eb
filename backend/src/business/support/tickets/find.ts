import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { TICKET_COLUMNS, type Ticket } from './ticket.ts';

const load = statement<Ticket>('find_ticket', `SELECT ${TICKET_COLUMNS} FROM tickets t WHERE t.id = $1`);

/** Any customer's ticket, for an operator; null: there is none. */
export async function findTicket(db: Executor, id: string): Promise<Ticket | null> {
  const [found] = await db.run(load, [id]);
  return found ?? null;
}
