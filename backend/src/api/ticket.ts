import { z } from 'zod';
import { wireTime, wireTimeOrNull } from '../base/time.ts';
import type { CatalogVersion } from '../business/core/catalog/versions.ts';
import type { LinkContext } from '../business/core/downloads/ticket.ts';
import type { Attachment } from '../business/support/attachments/attachment.ts';
import { renderMarkdown } from '../business/support/tickets/markdown.ts';
import { LONGEST_MESSAGE, type Message } from '../business/support/tickets/message.ts';
import { isReopenable } from '../business/support/tickets/reopen.ts';
import {
  PRIORITIES,
  RESOURCE_TYPES,
  TICKET_STATES,
  type Ticket,
  ticketNumber,
  ticketStateText,
} from '../business/support/tickets/ticket.ts';
import type { RefusalDetail } from '../errors.ts';
import type { Locale } from '../operation.ts';
import { attachment, wireAttachment } from './attachment.ts';
import { timestamp, uuid } from './field.ts';
import { fieldProblem } from './order.ts';

export const ticketState = z
  .enum(TICKET_STATES)
  .describe('open: waits for the provider; answered: waits for the customer.');
export const priority = z.enum(PRIORITIES);
/** What a customer may ask for; `urgent` is given by operators. */
export const askedPriority = z.enum(['low', 'normal', 'high']);
export const department = z.string().min(1).max(63);
export const resourceRef = z.object({ type: z.enum(RESOURCE_TYPES), uuid });
export const resourceInput = z.strictObject({ type: z.enum(RESOURCE_TYPES), uuid });

/** Markdown as somebody writes it. */
export const messageText = z
  .string()
  .max(LONGEST_MESSAGE, `At most ${LONGEST_MESSAGE} characters.`)
  .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), 'This must hold something that can be seen.')
  .describe('Markdown');

export const message = z.object({
  uuid,
  author: z.object({ type: z.enum(['customer', 'staff', 'system']), name: z.string() }),
  message: z.string().describe('Markdown'),
  message_html: z.string().describe('The same as HTML that is safe to show.'),
  attachments: z.array(attachment),
  internal: z.boolean().describe('A note that only operators see.'),
  created_at: timestamp,
});

/** A message as the wire shows it. */
export function wireMessage(
  ctx: LinkContext,
  said: Message,
  attachments: readonly Attachment[],
): z.input<typeof message> {
  return {
    uuid: said.id,
    author: { type: said.author_type, name: said.author_name },
    message: said.body,
    message_html: renderMarkdown(said.body),
    attachments: attachments.map((one) => wireAttachment(ctx, one)),
    internal: said.internal,
    created_at: wireTime(said.created_at),
  };
}

export const ticketHead = {
  uuid,
  number: z.string(),
  subject: z.string(),
  department: z.string(),
  priority,
  state: ticketState,
  state_text: z.string(),
  resource: resourceRef.nullable(),
};

export function wireTicketHead(found: Ticket, locale: Locale) {
  return {
    uuid: found.id,
    number: ticketNumber(found.number),
    subject: found.subject,
    department: found.department,
    priority: found.priority,
    state: found.state,
    state_text: ticketStateText(found.state, locale),
    resource: wireResource(found),
  };
}

export function wireResource({ resource_type, resource_id }: Ticket): z.input<typeof resourceRef> | null {
  return resource_type === null || resource_id === null ? null : { type: resource_type, uuid: resource_id };
}

/** A ticket in a list. */
export const listedTicket = z.object({
  ...ticketHead,
  messages_count: z.int(),
  unread: z.int().describe('Messages of the other side that came since this one has read the ticket.'),
  last_author_type: z.enum(['customer', 'staff', 'system']),
  created_at: timestamp,
  updated_at: timestamp,
});

export function wireListedTicket(
  found: Ticket,
  unread: number,
  locale: Locale,
): z.input<typeof listedTicket> {
  return {
    ...wireTicketHead(found, locale),
    messages_count: found.messages_count,
    unread,
    last_author_type: found.last_author_type,
    created_at: wireTime(found.created_at),
    updated_at: wireTime(found.updated_at),
  };
}

export const ticketCounts = z.object({ open: z.int(), answered: z.int(), on_hold: z.int(), closed: z.int() });

/** Everything about a ticket but its messages. */
export const ticketDetails = z.object({
  ...ticketHead,
  assigned: z.boolean(),
  messages_count: z.int(),
  unread: z.int(),
  first_response_due_at: timestamp.nullable(),
  first_response_at: timestamp.nullable(),
  last_message: z.object({ author_type: z.string(), created_at: timestamp, excerpt: z.string() }),
  reopenable_until: timestamp.nullable(),
  rating: z.int().min(1).max(5).nullable(),
  duplicate_of: uuid.nullable(),
  merged_into: uuid.nullable().describe('Where its messages went.'),
  created_at: timestamp,
  updated_at: timestamp,
  closed_at: timestamp.nullable(),
});

export function wireTicketDetails(
  found: Ticket,
  unread: number,
  ctx: Pick<LinkContext, 'now'> & { readonly locale: Locale },
): z.input<typeof ticketDetails> {
  return {
    ...wireTicketHead(found, ctx.locale),
    assigned: found.assigned_to !== null,
    messages_count: found.messages_count,
    unread,
    first_response_due_at: wireTimeOrNull(found.first_response_due_at),
    first_response_at: wireTimeOrNull(found.first_response_at),
    last_message: {
      author_type: found.last_author_type,
      created_at: wireTime(found.last_message_at),
      excerpt: found.last_excerpt,
    },
    reopenable_until: wireReopenableUntil(found, ctx),
    rating: found.rating,
    duplicate_of: found.duplicate_of,
    merged_into: found.merged_into,
    created_at: wireTime(found.created_at),
    updated_at: wireTime(found.updated_at),
    closed_at: wireTimeOrNull(found.closed_at),
  };
}

/** null: it is not closed, or can be opened no more. */
export function wireReopenableUntil(found: Ticket, { now }: Pick<LinkContext, 'now'>): string | null {
  return isReopenable(found, now) ? wireTimeOrNull(found.reopenable_until) : null;
}

/** What to refuse a department with that there is not; null: there is. */
export function noDepartment({ content }: CatalogVersion, name: string): RefusalDetail | null {
  const allowed = content.support.departments.map((one) => one.name);
  if (allowed.includes(name)) return null;
  return fieldProblem('/department', 'not_allowed', 'There is no such department.', { allowed });
}
