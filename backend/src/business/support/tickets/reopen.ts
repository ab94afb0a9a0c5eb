import { type Instant, isBefore } from '../../../base/time.ts';
import type { Ticket } from './ticket.ts';

/** Whether a closed ticket can still be opened again by its customer. What was merged goes on elsewhere. */
export function isReopenable(ticket: Ticket, now: Instant): boolean {
  return (
    ticket.merged_into === null && ticket.reopenable_until !== null && !isBefore(ticket.reopenable_until, now)
  );
}
