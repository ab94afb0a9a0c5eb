import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Locale, Resource } from '../../../operation.ts';
import { accountResource } from '../../../unit-of-work/resource.ts';
import { lockInto, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

/** open: waits for staff; answered: waits for the customer. */
export const TICKET_STATES = ['open', 'answered', 'on_hold', 'closed'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const RESOURCE_TYPES = ['server', 'domain', 'webspace', 'license', 'invoice'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export type AuthorType = 'customer' | 'staff' | 'system';

/** A question and everything that was said to it. */
export interface Ticket {
  readonly id: string;
  readonly number: bigint;
  readonly account_id: string;
  readonly requester_id: string | null;
  readonly subject: string;
  readonly department: string;
  readonly priority: Priority;
  readonly state: TicketState;
  readonly resource_type: ResourceType | null;
  readonly resource_id: string | null;
  readonly assigned_to: string | null;
  /** The last number that a message got. */
  readonly messages_seq: number;
  /** Those that the customer sees. */
  readonly messages_count: number;
  readonly customer_read_seq: number;
  readonly staff_read_seq: number;
  readonly customer_unread: number;
  readonly staff_unread: number;
  readonly last_message_at: Instant;
  readonly last_author_type: AuthorType;
  readonly last_excerpt: string;
  /** Since when it waits for staff; null unless it is open. */
  readonly waiting_since: Instant | null;
  readonly due_at: Instant | null;
  readonly first_response_due_at: Instant | null;
  readonly first_response_at: Instant | null;
  readonly rating: number | null;
  readonly duplicate_of: string | null;
  readonly merged_into: string | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly reopened_at: Instant | null;
  readonly closed_at: Instant | null;
  readonly reopenable_until: Instant | null;
}

export const TICKET_COLUMNS = `t.id, t.number, t.account_id, t.requester_id, t.subject, t.department, t.priority, t.state,
  t.resource_type, t.resource_id, t.assigned_to, t.messages_seq, t.messages_count, t.customer_read_seq, t.staff_read_seq,
  t.customer_unread, t.staff_unread, t.last_message_at, t.last_author_type, t.last_excerpt, t.waiting_since, t.due_at,
  t.first_response_due_at, t.first_response_at, t.rating, t.duplicate_of, t.merged_into, t.created_at, t.updated_at,
  t.reopened_at, t.closed_at, t.reopenable_until`;

const load = statement<Ticket & { ord: bigint }>(
  'load_tickets',
  `SELECT k.ord, ${TICKET_COLUMNS} FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY k(account_id, id, ord)
   JOIN tickets t ON t.id = k.id AND t.account_id = k.account_id`,
);
const lock = statement<Ticket>(
  'lock_ticket',
  `SELECT ${TICKET_COLUMNS} FROM tickets t WHERE t.id = $2 AND t.account_id = $1 FOR NO KEY UPDATE`,
);
const owner = statement<{ account_id: string }>(
  'find_ticket_owner',
  'SELECT account_id FROM tickets WHERE id = $1',
);

/** A ticket among the caller's own. A token for certain things sees those about them. */
export const ticket: Resource<Ticket> = {
  ...accountResource<Ticket>('ticket', load, lock),
  belongsTo: (found) => found.resource_id ?? found.id,
};

/** Any customer's ticket for an operator, its account locked before it (rule A4); null: there is none. */
export async function lockTicket(tx: Transaction, uow: UnitOfWork, id: string): Promise<Ticket | null> {
  const [found] = await tx.run(owner, [id]);
  if (found === undefined) return null;
  await lockInto(tx, uow, found.account_id);
  const [locked] = await tx.run(lock, [found.account_id, id]);
  return locked ?? null;
}

const save = statement<object>(
  'save_ticket',
  `UPDATE tickets SET department = $2, priority = $3, state = $4, assigned_to = $5, messages_seq = $6,
     messages_count = $7, customer_read_seq = $8, staff_read_seq = $9, customer_unread = $10, staff_unread = $11,
     last_message_at = $12, last_author_type = $13, last_excerpt = $14, waiting_since = $15, due_at = $16,
     first_response_due_at = $17, first_response_at = $18, rating = $19, merged_into = $20, updated_at = $21,
     reopened_at = $22, closed_at = $23, reopenable_until = $24
   WHERE id = $1`,
);

/** Writes a ticket, which is locked, as it is now. */
export async function saveTicket(tx: Transaction, changed: Ticket): Promise<void> {
  await tx.run(save, [
    changed.id,
    changed.department,
    changed.priority,
    changed.state,
    changed.assigned_to,
    changed.messages_seq,
    changed.messages_count,
    changed.customer_read_seq,
    changed.staff_read_seq,
    changed.customer_unread,
    changed.staff_unread,
    changed.last_message_at,
    changed.last_author_type,
    changed.last_excerpt,
    changed.waiting_since,
    changed.due_at,
    changed.first_response_due_at,
    changed.first_response_at,
    changed.rating,
    changed.merged_into,
    changed.updated_at,
    changed.reopened_at,
    changed.closed_at,
    changed.reopenable_until,
  ]);
}

/** What people call it: T-000123. */
export function ticketNumber(number: bigint): string {
  return `T-${String(number).padStart(6, '0')}`;
}

/** The number in a text such as `t-123` or `123`; null: it is none. */
export function parseTicketNumber(text: string): bigint | null {
  const digits = /^\s*(?:T-)?(\d{1,15})\s*$/i.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
}

const STATE_TEXTS: Readonly<Record<TicketState, Readonly<Record<Locale, string>>>> = {
  open: { en: 'Open', de: 'Offen' },
  answered: { en: 'Answered', de: 'Beantwortet' },
  on_hold: { en: 'On hold', de: 'Zurückgestellt' },
  closed: { en: 'Closed', de: 'Geschlossen' },
};

/** A state's display text. */
export function ticketStateText(state: TicketState, locale: Locale): string {
  return STATE_TEXTS[state][locale];
}
