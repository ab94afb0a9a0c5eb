import { type Instant, isBefore } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { lockAccounts, newUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { enqueue } from '../../../work/queue.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { changeState } from './answer.ts';
import { lockTicket, type Ticket } from './ticket.ts';

type Sold = Pick<Catalog, 'support' | 'seller'>;
type Found = Pick<Ticket, 'id' | 'account_id' | 'updated_at'>;

const PAGE = 500;
const FIRST = {
  id: '00000000-0000-0000-0000-000000000000',
  updated_at: Temporal.Instant.fromEpochMilliseconds(0),
};

const page = statement<Found>(
  'find_unanswered_tickets',
  `SELECT id, account_id, updated_at FROM tickets
   WHERE state = 'answered' AND updated_at <= $1 AND (updated_at, id) > ($2, $3) ORDER BY updated_at, id LIMIT ${PAGE}`,
);

/**
 * Closes the tickets of which nothing was heard for so long as the catalogue says, since an operator answered them;
 * whoever asked is told. One whose account another transaction holds waits for the next time.
 */
export async function closeUnanswered(pool: Pool, now: Instant, sold: Sold): Promise<void> {
  const { close_days } = sold.support;
  if (close_days === null) return;
  const until = now.subtract({ hours: close_days * 24 });
  for (let last: Pick<Found, 'id' | 'updated_at'> | undefined = FIRST; last !== undefined; ) {
    const found: readonly Found[] = await pool.run(page, [until, last.updated_at, last.id]);
    // A transaction each: they are many customers', and nobody is to wait for all of them.
    for (const one of found) await closeOne(pool, now, one, until, sold);
    last = found.length === PAGE ? found.at(-1) : undefined;
  }
}

async function closeOne(
  pool: Pool,
  now: Instant,
  { id, account_id }: Found,
  until: Instant,
  sold: Sold,
): Promise<void> {
  await transaction(pool, async (tx) => {
    const uow = newUnitOfWork(now, await lockAccounts(tx, [account_id], { skipLocked: true }));
    if (uow.accounts.size === 0) return;
    const ticket = await lockTicket(tx, uow, id);
    if (ticket?.state !== 'answered' || isBefore(until, ticket.updated_at)) return;
    await changeState(tx, uow, ticket, { state: 'closed', by: 'system' }, sold);
    await Promise.all([uow.changes.send(tx), enqueue(tx, uow.jobs)]);
  });
}
