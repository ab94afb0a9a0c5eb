import { wireTime } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { type MailDraft, queueMail } from '../../notifications/mail/outbox.ts';
import type { MailVariables } from '../../notifications/mail/template.ts';
import type { Attachment } from '../attachments/attachment.ts';
import type { Message } from './message.ts';
import { type Ticket, ticketNumber } from './ticket.ts';

type Sold = Pick<Catalog, 'support'>;

interface Participant {
  readonly user_id: string;
  /** The Message-ID of the last mail that they sent to this ticket. */
  readonly mail_id: string | null;
}

const MOST = 20;

// Whoever of the account's people asked or wrote; when none of them is there any more, the owner.
const participants = statement<Participant>(
  'ticket_participants',
  `WITH involved AS (
     SELECT u.id FROM users u
     WHERE u.account_id = $2 AND u.state = 'active' AND (u.id = $3 OR u.id IN (
       SELECT m.author_id FROM ticket_messages m WHERE m.ticket_id = $1 AND m.author_type = 'customer'))
     ORDER BY u.id LIMIT ${MOST}),
   told AS (
     SELECT id FROM involved
     UNION ALL
     (SELECT id FROM users WHERE account_id = $2 AND role = 'owner' AND state = 'active'
        AND NOT EXISTS (SELECT FROM involved) ORDER BY created_at LIMIT 1))
   SELECT t.id AS user_id, (
     SELECT m.mail_id FROM ticket_messages m WHERE m.ticket_id = $1 AND m.author_id = t.id AND m.mail_id IS NOT NULL
     ORDER BY m.seq DESC LIMIT 1) AS mail_id
   FROM told t`,
);

/** Tells whoever asked that the question has arrived; nobody is sent what they typed themselves, at an address that may be another's. */
export async function notifyCreated(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  sold: Sold,
): Promise<void> {
  await tell(tx, uow, ticket, sold, {
    template: 'ticket.created',
    cause: `ticket.created:${ticket.id}`,
    variables: { number: ticketNumber(ticket.number) },
  });
}

/** Sends an operator's answer; with it, where it is so, that the ticket was closed. */
export async function notifyAnswered(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  sold: Sold,
  { message, attachments }: { readonly message: Message; readonly attachments: readonly Attachment[] },
): Promise<void> {
  const { number, subject } = named(ticket);
  await tell(tx, uow, ticket, sold, {
    template: 'ticket.answered',
    cause: `ticket.answered:${message.id}`,
    variables: {
      number,
      subject,
      author: message.author_name,
      message: linesOf(message.body),
      files: attachments.map(({ filename }) => filename),
      closed: ticket.state === 'closed',
    },
  });
}

/** Tells that a ticket was closed without another word; `silentDays`: because so long none was said, else null. */
export async function notifyClosed(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  sold: Sold,
  silentDays: number | null,
): Promise<void> {
  const { closed_at, reopenable_until } = ticket;
  if (closed_at === null || reopenable_until === null) return;
  await tell(tx, uow, ticket, sold, {
    template: 'ticket.closed',
    cause: `ticket.closed:${ticket.id}:${closed_at.toString()}`,
    variables: {
      ...named(ticket),
      reopenable_until: wireTime(reopenable_until),
      silent_days: silentDays,
    },
  });
}

function named(ticket: Ticket) {
  return { number: ticketNumber(ticket.number), subject: ticket.subject };
}

type TicketTemplate = 'ticket.created' | 'ticket.answered' | 'ticket.closed';
type Telling = {
  [T in TicketTemplate]: {
    readonly template: T;
    readonly cause: string;
    readonly variables: Omit<MailVariables[T], 'by_mail'>;
  };
}[TicketTemplate];

async function tell(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  { support }: Sold,
  { template, cause, variables }: Telling,
): Promise<void> {
  const told = await tx.run(participants, [ticket.id, ticket.account_id, ticket.requester_id]);
  for (const { user_id, mail_id } of told) {
    queueMail(uow, {
      cause: `${cause}:${user_id}`,
      to: { userId: user_id, accountId: ticket.account_id },
      template,
      variables: { ...variables, by_mail: support.address !== null },
      thread: {
        root: ticket.id,
        references: mail_id === null ? [] : [mail_id],
        reply: { number: String(ticket.number), user_id },
      },
    } as MailDraft<TicketTemplate>);
  }
}

const LONGEST_LINE = 250;

/** A message as the lines of a mail: paragraphs are broken at spaces. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > LONGEST_LINE) {
      const space = rest.lastIndexOf(' ', LONGEST_LINE);
      const end = space > LONGEST_LINE / 2 ? space : LONGEST_LINE;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    return [...lines, rest];
  });
}
