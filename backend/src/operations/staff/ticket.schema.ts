import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { listedTicket, wireListedTicket } from '../../api/ticket.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import type { CannedReply } from '../../business/support/tickets/canned-reply.ts';
import type { Ticket } from '../../business/support/tickets/ticket.ts';
import type { Locale } from '../../operation.ts';

/** A ticket as operators see it. */
export const staffTicket = z.object({
  ...listedTicket.shape,
  customer_uuid: uuid,
  assigned_to: uuid.nullable().describe('An operator.'),
  waiting_since: timestamp.nullable(),
  due_at: timestamp.nullable().describe('By when an answer was promised.'),
  overdue: z.boolean(),
  first_response_due_at: timestamp.nullable(),
  first_response_at: timestamp.nullable(),
  excerpt: z.string(),
  rating: z.int().nullable(),
  duplicate_of: uuid.nullable(),
  merged_into: uuid.nullable(),
  closed_at: timestamp.nullable(),
});

export function wireStaffTicket(
  found: Ticket,
  { now, locale }: { readonly now: Temporal.Instant; readonly locale: Locale },
): z.input<typeof staffTicket> {
  return {
    ...wireListedTicket(found, found.staff_unread, locale),
    customer_uuid: found.account_id,
    assigned_to: found.assigned_to,
    waiting_since: wireTimeOrNull(found.waiting_since),
    due_at: wireTimeOrNull(found.due_at),
    overdue: found.due_at !== null && Temporal.Instant.compare(found.due_at, now) < 0,
    first_response_due_at: wireTimeOrNull(found.first_response_due_at),
    first_response_at: wireTimeOrNull(found.first_response_at),
    excerpt: found.last_excerpt,
    rating: found.rating,
    duplicate_of: found.duplicate_of,
    merged_into: found.merged_into,
    closed_at: wireTimeOrNull(found.closed_at),
  };
}

export const cannedReply = z.object({
  uuid,
  title: z.string(),
  body: z.object({ en: z.string(), de: z.string() }),
  department: z.string().nullable().describe('null: of all departments.'),
  created_at: timestamp,
});

export function wireCannedReply(reply: CannedReply): z.input<typeof cannedReply> {
  return {
    uuid: reply.id,
    title: reply.title,
    body: reply.body,
    department: reply.department,
    created_at: wireTime(reply.created_at),
  };
}
