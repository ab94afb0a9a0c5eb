import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import type { CheckedFile } from '../attachments/attachment.ts';
import { inState } from './clock.ts';
import { type MessageDraft, type Said, say } from './message.ts';
import { notifyAnswered, notifyClosed } from './notify.ts';
import { type AuthorType, saveTicket, type Ticket, type TicketState, ticketNumber } from './ticket.ts';

type Sold = Pick<Catalog, 'support' | 'seller'>;

/** A customer writes: it waits for staff again, also when it was closed (whether it may be, the caller has asked). */
export async function customerWrites(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  draft: Omit<MessageDraft, 'internal' | 'subject'>,
  sold: Sold,
  then: { readonly state: TicketState; readonly rating?: number } = { state: 'open' },
): Promise<Said> {
  const said = await say(tx, uow, ticket, draft);
  const { state, rating = said.ticket.rating } = then;
  const changed = { ...inState(said.ticket, state, uow.now, sold), rating };
  await saveTicket(tx, changed);
  told(uow, ticket, changed, 'customer');
  return { ...said, ticket: changed };
}

export interface StaffDraft {
  readonly operator: { readonly id: string; readonly name: string };
  readonly body: string;
  readonly files: readonly CheckedFile[];
}

/** An operator answers; whoever asked is told by mail. The first one to answer takes what nobody has. */
export async function staffAnswers(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  { operator, body, files }: StaffDraft,
  state: TicketState,
  sold: Sold,
): Promise<Said> {
  const said = await say(tx, uow, ticket, { author: { type: 'staff', ...operator }, body, files });
  const answered: Ticket = {
    ...said.ticket,
    assigned_to: ticket.assigned_to ?? operator.id,
    first_response_at: ticket.first_response_at ?? uow.now,
    // What is still to do after an answer waits from then on.
    waiting_since: null,
  };
  const changed = inState(answered, state, uow.now, sold);
  await saveTicket(tx, changed);
  emit(uow, lockedAccount(uow, ticket.account_id), {
    type: 'ticket.answered',
    resource: { type: 'ticket', id: ticket.id },
    body: { number: ticketNumber(ticket.number), message_uuid: said.message.id, state },
  });
  told(uow, ticket, changed, 'staff');
  await notifyAnswered(tx, uow, changed, sold, said);
  return { ...said, ticket: changed };
}

/** A note that only operators see: nothing else changes. */
export async function staffNotes(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  { operator, body, files }: StaffDraft,
): Promise<Said> {
  const said = await say(tx, uow, ticket, {
    author: { type: 'staff', ...operator },
    body,
    files,
    internal: true,
  });
  await saveTicket(tx, said.ticket);
  return said;
}

/** Puts a ticket into a state without a word. */
export async function changeState(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  { state, by, rating = ticket.rating }: { state: TicketState; by: AuthorType; rating?: number | null },
  sold: Sold,
): Promise<Ticket> {
  const changed = { ...inState(ticket, state, uow.now, sold), rating };
  await saveTicket(tx, changed);
  told(uow, ticket, changed, by);
  if (by !== 'customer' && state === 'closed' && ticket.state !== 'closed')
    await notifyClosed(tx, uow, changed, sold, by === 'system' ? sold.support.close_days : null);
  return changed;
}

/** The events of a ticket that was closed, or opened again. */
function told(uow: UnitOfWork, before: Ticket, after: Ticket, by: AuthorType): void {
  if ((before.state === 'closed') === (after.state === 'closed')) return;
  emit(uow, lockedAccount(uow, after.account_id), {
    type: after.state === 'closed' ? 'ticket.closed' : 'ticket.reopened',
    resource: { type: 'ticket', id: after.id },
    body: { number: ticketNumber(after.number), by },
  });
}
