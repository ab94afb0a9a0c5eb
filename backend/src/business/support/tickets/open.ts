import { randomUUIDv7 } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import type { CheckedFile } from '../attachments/attachment.ts';
import { rated } from './clock.ts';
import { excerptOf } from './markdown.ts';
import { say } from './message.ts';
import { notifyCreated } from './notify.ts';
import { type Priority, type ResourceType, saveTicket, type Ticket, ticketNumber } from './ticket.ts';

const DUPLICATE_MINUTES = 10;

export interface TicketDraft {
  readonly accountId: string;
  readonly requester: { readonly id: string; readonly name: string };
  readonly subject: string;
  readonly body: string;
  readonly department: string;
  readonly priority: Priority;
  readonly resource: { readonly type: ResourceType; readonly id: string } | null;
  readonly files: readonly CheckedFile[];
}

const insert = statement<{ number: bigint; duplicate_of: string | null }>(
  'insert_ticket',
  `INSERT INTO tickets (id, account_id, requester_id, subject, department, priority, state, resource_type, resource_id,
     last_message_at, last_author_type, last_excerpt, waiting_since, text_hash, duplicate_of, created_at, updated_at)
   SELECT $1, $2, $3, $4, $5, $6, 'open', $7, $8, $9, 'customer', $10, $9, $11,
     (SELECT id FROM tickets WHERE account_id = $2 AND created_at > $12 AND text_hash = $11
      ORDER BY created_at, id LIMIT 1), $9, $9
   RETURNING number, duplicate_of`,
);

/** Opens a ticket of a locked account with its first message. */
export async function openTicket(
  tx: Transaction,
  uow: UnitOfWork,
  draft: TicketDraft,
  sold: Pick<Catalog, 'support' | 'seller'>,
): Promise<Ticket> {
  const { now } = uow;
  const id = randomUUIDv7();
  const [row] = await tx.run(insert, [
    id,
    draft.accountId,
    draft.requester.id,
    draft.subject,
    draft.department,
    draft.priority,
    draft.resource?.type ?? null,
    draft.resource?.id ?? null,
    now,
    excerptOf(draft.body),
    sha256(draft.body),
    now.subtract({ minutes: DUPLICATE_MINUTES }),
  ]);
  if (row === undefined) throw new Error('a ticket was not inserted');
  const blank: Ticket = {
    id,
    ...row,
    account_id: draft.accountId,
    requester_id: draft.requester.id,
    subject: draft.subject,
    department: draft.department,
    priority: draft.priority,
    state: 'open',
    resource_type: draft.resource?.type ?? null,
    resource_id: draft.resource?.id ?? null,
    assigned_to: null,
    messages_seq: 0,
    messages_count: 0,
    customer_read_seq: 0,
    staff_read_seq: 0,
    customer_unread: 0,
    staff_unread: 0,
    last_message_at: now,
    last_author_type: 'customer',
    last_excerpt: '',
    waiting_since: now,
    due_at: null,
    first_response_due_at: null,
    first_response_at: null,
    rating: null,
    merged_into: null,
    created_at: now,
    updated_at: now,
    reopened_at: null,
    closed_at: null,
    reopenable_until: null,
  };
  const { ticket } = await say(tx, uow, rated(blank, sold), {
    author: { type: 'customer', ...draft.requester },
    body: draft.body,
    files: draft.files,
    subject: draft.subject,
  });
  await saveTicket(tx, ticket);
  emit(uow, lockedAccount(uow, draft.accountId), {
    type: 'ticket.created',
    resource: { type: 'ticket', id },
    body: {
      number: ticketNumber(ticket.number),
      subject: ticket.subject,
      department: ticket.department,
      priority: ticket.priority,
    },
  });
  await notifyCreated(tx, uow, ticket, sold);
  return ticket;
}

const findService = statement<{ one: number }>(
  'find_ticket_service',
  'SELECT 1 AS one FROM services WHERE id = $1 AND account_id = $2 AND product = $3',
);
const findInvoice = statement<{ one: number }>(
  'find_ticket_invoice',
  'SELECT 1 AS one FROM invoices WHERE id = $1 AND account_id = $2',
);

/** Whether the account has this thing. */
export async function ownsResource(
  db: Executor,
  accountId: string,
  { type, id }: { readonly type: ResourceType; readonly id: string },
): Promise<boolean> {
  const found =
    type === 'invoice'
      ? await db.run(findInvoice, [id, accountId])
      : await db.run(findService, [id, accountId, type]);
  return found.length > 0;
}
