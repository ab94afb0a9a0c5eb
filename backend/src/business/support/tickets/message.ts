import { randomUUIDv7 } from 'node:crypto';
import { type Instant, later } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { type Attachment, attach, type CheckedFile } from '../attachments/attachment.ts';
import { excerptOf } from './markdown.ts';
import type { AuthorType, Ticket } from './ticket.ts';

export const LONGEST_MESSAGE = 20_000;

/** Something that was said in a ticket. It never changes. */
export interface Message {
  readonly id: string;
  readonly ticket_id: string;
  readonly seq: number;
  readonly author_type: AuthorType;
  readonly author_id: string | null;
  readonly author_name: string;
  /** A note between operators. */
  readonly internal: boolean;
  /** Markdown. */
  readonly body: string;
  readonly created_at: Instant;
}

export interface MessageDraft {
  readonly author: { readonly type: AuthorType; readonly id: string | null; readonly name: string };
  readonly body: string;
  readonly internal?: boolean;
  readonly files: readonly CheckedFile[];
  /** With the first message: the ticket's. */
  readonly subject?: string;
  /** The Message-ID of the mail that it came by. */
  readonly mailId?: string;
}

/** A message with its files, and the ticket as it is with it. */
export interface Said {
  readonly ticket: Ticket;
  readonly message: Message;
  readonly attachments: readonly Attachment[];
}

const insert = statement<object>(
  'insert_ticket_message',
  `INSERT INTO ticket_messages (ticket_id, seq, id, account_id, author_type, author_id, author_name, internal, body,
     subject, mail_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/**
 * Adds a message to a ticket that this transaction has locked. The ticket it answers still has to be saved. Whoever
 * writes has read what is there.
 */
export async function say(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  draft: MessageDraft,
): Promise<Said> {
  const { author, body, internal = false } = draft;
  const seq = ticket.messages_seq + 1;
  // Never before the message that it follows, whichever clock that was of: who asks for what came since gets it all.
  const created_at = later(uow.now, ticket.last_message_at);
  const message: Message = {
    id: randomUUIDv7(),
    ticket_id: ticket.id,
    seq,
    author_type: author.type,
    author_id: author.id,
    author_name: author.name,
    internal,
    body,
    created_at,
  };
  const [, attachments] = await Promise.all([
    tx.run(insert, [
      ticket.id,
      seq,
      message.id,
      ticket.account_id,
      author.type,
      author.id,
      author.name,
      internal,
      body,
      draft.subject ?? null,
      draft.mailId ?? null,
      created_at,
    ]),
    attach(tx, uow, { id: message.id, account_id: ticket.account_id }, draft.files),
  ]);
  return { ticket: withMessage(ticket, message, uow.now), message, attachments };
}

function withMessage(ticket: Ticket, message: Message, now: Instant): Ticket {
  const byCustomer = message.author_type === 'customer';
  const read = byCustomer
    ? { customer_read_seq: message.seq, customer_unread: 0, staff_unread: ticket.staff_unread + 1 }
    : message.author_type === 'staff'
      ? { staff_read_seq: message.seq, staff_unread: 0 }
      : {};
  if (message.internal)
    return { ...ticket, ...read, messages_seq: message.seq, last_message_at: message.created_at };
  return {
    ...ticket,
    ...(byCustomer ? {} : { customer_unread: ticket.customer_unread + 1 }),
    ...read,
    messages_seq: message.seq,
    messages_count: ticket.messages_count + 1,
    last_message_at: message.created_at,
    last_author_type: message.author_type,
    last_excerpt: excerptOf(message.body),
    updated_at: now,
  };
}

const COLUMNS = 'id, ticket_id, seq, author_type, author_id, author_name, internal, body, created_at';

export interface MessagePage {
  /** Messages of this moment and later; null: all. */
  readonly since: Instant | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

const pages = (whose: 'shown' | 'all', shown: string) => {
  const found = `FROM ticket_messages WHERE ticket_id = $1 ${shown}`;
  const list = (order: 'asc' | 'desc') =>
    statement<Message>(
      `list_messages_${whose}_${order}`,
      `SELECT ${COLUMNS} ${found} AND created_at >= coalesce($2::timestamptz, '-infinity')
       ORDER BY created_at ${order}, seq ${order} LIMIT $3 OFFSET $4`,
    );
  const count = statement<{ total: bigint }>(
    `count_messages_${whose}`,
    `SELECT count(*) AS total ${found} AND created_at >= coalesce($2::timestamptz, '-infinity')`,
  );
  return { asc: list('asc'), desc: list('desc'), count };
};
const SHOWN = pages('shown', 'AND NOT internal');
const ALL = pages('all', '');

/** A ticket's messages, the oldest first or last, and how many there are; with notes for operators only. */
export async function listMessages(
  db: Executor,
  ticketId: string,
  { notes }: { readonly notes: boolean },
  page: MessagePage,
): Promise<{ readonly messages: readonly Message[]; readonly total: number }> {
  const statements = notes ? ALL : SHOWN;
  const [messages, [counted]] = await Promise.all([
    db.run(statements[page.order], [ticketId, page.since, page.limit, page.offset]),
    db.run(statements.count, [ticketId, page.since]),
  ]);
  return { messages, total: Number(counted?.total ?? 0n) };
}

const newest = statement<{ body: string; author_type: AuthorType }>(
  'newest_shown_message',
  `SELECT body, author_type FROM ticket_messages WHERE ticket_id = $1 AND NOT internal
   ORDER BY created_at DESC, seq DESC LIMIT 1`,
);

/** The last thing that was said. */
export async function lastMessage(db: Executor, ticketId: string) {
  const [found] = await db.run(newest, [ticketId]);
  return found ?? null;
}

const unreadAfter = statement<{ seq: number; unread: number }>(
  'unread_after',
  `SELECT s.seq, (SELECT count(*)::int FROM ticket_messages m WHERE m.ticket_id = $1
     AND (m.created_at, m.seq) > (s.created_at, s.seq)
     AND CASE WHEN $3 THEN m.author_type = 'customer' ELSE NOT m.internal AND m.author_type <> 'customer' END) AS unread
   FROM ticket_messages s WHERE s.ticket_id = $1 AND s.id = $2 AND ($3 OR NOT s.internal)`,
);

/** The ticket with everything read up to a message, or all of it; null: it has no such message. */
export async function readUpTo(
  tx: Transaction,
  ticket: Ticket,
  side: 'customer' | 'staff',
  messageId: string | undefined,
): Promise<Ticket | null> {
  let [seq, unread] = [ticket.messages_seq, 0];
  if (messageId !== undefined) {
    const [found] = await tx.run(unreadAfter, [ticket.id, messageId, side === 'staff']);
    if (found === undefined) return null;
    ({ seq, unread } = found);
  }
  // What was read stays read. The order is that in which messages are shown; in a merged ticket numbers are not.
  return side === 'customer'
    ? {
        ...ticket,
        customer_read_seq: Math.max(seq, ticket.customer_read_seq),
        customer_unread: Math.min(unread, ticket.customer_unread),
      }
    : {
        ...ticket,
        staff_read_seq: Math.max(seq, ticket.staff_read_seq),
        staff_unread: Math.min(unread, ticket.staff_unread),
      };
}
