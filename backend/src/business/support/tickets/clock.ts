import type { Instant } from '../../../base/time.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { answerDueAt } from './promise.ts';
import type { Ticket, TicketState } from './ticket.ts';

type Sold = Pick<Catalog, 'support' | 'seller'>;

/**
 * A ticket in another state. Its clock runs while it waits for staff: it begins when it comes to be open, goes on
 * while it is, and ends with any other state.
 */
export function inState(ticket: Ticket, state: TicketState, now: Instant, sold: Sold): Ticket {
  const waiting_since = state === 'open' ? (ticket.waiting_since ?? now) : null;
  const closed = state === 'closed';
  const { reopen_days } = sold.support;
  return rated(
    {
      ...ticket,
      state,
      waiting_since,
      updated_at: now,
      reopened_at: ticket.state === 'closed' && !closed ? now : ticket.reopened_at,
      closed_at: closed ? (ticket.closed_at ?? now) : null,
      reopenable_until: closed ? (ticket.reopenable_until ?? now.add({ hours: reopen_days * 24 })) : null,
    },
    sold,
  );
}

/** With its moments as department and priority want them now; what has been answered keeps what was promised. */
export function rated(ticket: Ticket, sold: Sold): Ticket {
  const { department, priority, waiting_since } = ticket;
  const first = ticket.first_response_at === null;
  return {
    ...ticket,
    due_at: waiting_since === null ? null : answerDueAt(sold, { department, priority, first }, waiting_since),
    first_response_due_at: first
      ? answerDueAt(sold, { department, priority, first }, ticket.created_at)
      : ticket.first_response_due_at,
  };
}
