import { later } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { inState } from './clock.ts';
import { findTicket } from './find.ts';
import { say } from './message.ts';
import { lockTicket, saveTicket, type Ticket, ticketNumber } from './ticket.ts';

const move = statement<{ seq: number }>(
  'move_messages',
  'UPDATE ticket_messages SET ticket_id = $2, seq = seq + $3 WHERE ticket_id = $1 RETURNING seq',
);

/** Two tickets of one customer, locked in the order of their ids (rule A4); null: one of them does not exist. */
export async function lockPair(
  tx: Transaction,
  uow: UnitOfWork,
  fromId: string,
  intoId: string,
): Promise<readonly [from: Ticket, into: Ticket] | 'of_two_customers' | null> {
  const [from, into] = await Promise.all([findTicket(tx, fromId), findTicket(tx, intoId)]);
  if (from === null || into === null) return null;
  // Whose they are never changes: the one account is locked with the first of them.
  if (from.account_id !== into.account_id) return 'of_two_customers';
  const locked = new Map<string, Ticket | null>();
  for (const id of [fromId, intoId].sort()) locked.set(id, await lockTicket(tx, uow, id));
  const [first, second] = [locked.get(fromId), locked.get(intoId)];
  return first && second ? [first, second] : null;
}

/**
 * Moves everything of one ticket into another of the same customer, between what is there by its time, and closes
 * the first one. Both are locked. Later answers to the first go to the other.
 */
export async function mergeTickets(
  tx: Transaction,
  uow: UnitOfWork,
  { from, into }: { readonly from: Ticket; readonly into: Ticket },
  sold: Pick<Catalog, 'support' | 'seller'>,
): Promise<{ readonly from: Ticket; readonly into: Ticket }> {
  await tx.run(move, [from.id, into.id, into.messages_seq]);
  const last = from.last_message_at.epochNanoseconds > into.last_message_at.epochNanoseconds ? from : into;
  const moved: Ticket = {
    ...into,
    messages_seq: into.messages_seq + from.messages_seq,
    messages_count: into.messages_count + from.messages_count,
    customer_unread: into.customer_unread + from.customer_unread,
    staff_unread: into.staff_unread + from.staff_unread,
    last_message_at: later(from.last_message_at, into.last_message_at),
    last_author_type: last.last_author_type,
    last_excerpt: last.last_excerpt,
  };
  const waiting = from.state === 'open' || into.state === 'open' ? 'open' : into.state;
  // What waited for longer has waited for so long here, too.
  const waits = [from.waiting_since, into.waiting_since].filter((moment) => moment !== null);
  const earliest = waits.sort(Temporal.Instant.compare)[0] ?? null;
  const joined = inState({ ...moved, waiting_since: earliest }, waiting, uow.now, sold);
  await saveTicket(tx, joined);
  const { ticket: told } = await say(
    tx,
    uow,
    // The messages are gone, their numbers too.
    {
      ...from,
      messages_seq: 0,
      messages_count: 0,
      customer_unread: 0,
      staff_unread: 0,
      customer_read_seq: 0,
      staff_read_seq: 0,
    },
    {
      author: { type: 'system', id: null, name: 'System' },
      body: `${ticketNumber(from.number)} → ${ticketNumber(into.number)}`,
      files: [],
    },
  );
  const closed = { ...inState(told, 'closed', uow.now, sold), merged_into: into.id };
  await saveTicket(tx, closed);
  emit(uow, lockedAccount(uow, from.account_id), {
    type: 'ticket.merged',
    resource: { type: 'ticket', id: from.id },
    body: { number: ticketNumber(from.number), into_uuid: into.id, into_number: ticketNumber(into.number) },
  });
  return { from: closed, into: joined };
}
