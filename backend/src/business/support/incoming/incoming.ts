import { domainOf } from '../../../base/mail-address.ts';
import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor, Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { inUnitOfWork, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Catalog } from '../../core/catalog/schema/schema.ts';
import { openReplyAddress } from '../../notifications/mail/reply-address.ts';
import { type CheckedFile, checkFiles, fits } from '../attachments/attachment.ts';
import { customerWrites } from '../tickets/answer.ts';
import { excerptOf } from '../tickets/markdown.ts';
import { LONGEST_MESSAGE } from '../tickets/message.ts';
import { isReopenable } from '../tickets/reopen.ts';
import { lockTicket, type Ticket } from '../tickets/ticket.ts';
import {
  BEGINNING_BYTES,
  headLength,
  type IncomingMail,
  readBeginning,
  readHead,
  readMail,
} from './incoming-mail.ts';

/** Why an operator has to look at a mail. */
export const QUARANTINE_REASONS = [
  'too_large',
  'unreadable',
  'address_unknown',
  'sender_differs',
  'sender_not_authenticated',
  'empty',
  'too_long',
  'files_refused',
  'ticket_closed',
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** A mail that came, as it is kept. */
export interface KeptMail {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  readonly size: number;
  readonly authenticated_domain: string | null;
  readonly content: Buffer | null;
  readonly state: 'received' | 'appended' | 'quarantined' | 'dropped' | 'discarded';
  readonly ticket_id: string | null;
  readonly user_id: string | null;
}

const COLUMNS = 'id, sender, recipient, size, authenticated_domain, content, state, ticket_id, user_id';
const load = statement<KeptMail>('load_incoming_mail', `SELECT ${COLUMNS} FROM incoming_mails WHERE id = $1`);
const lock = statement<KeptMail>(
  'lock_incoming_mail',
  `SELECT ${COLUMNS} FROM incoming_mails WHERE id = $1 FOR NO KEY UPDATE`,
);
/** Bytes of mail to no ticket that wait for operators. What comes when they are full is kept as its header says. */
export const STRANGERS_BYTES = 64 * 1024 * 1024;
/** The same of mail to the tickets of one customer: they know addresses of their own, and write from any other. */
export const CUSTOMERS_BYTES = 64 * 1024 * 1024;

// Anybody can write to an address that was made for nobody: of that only the beginning is kept ($12).
const settle = statement<object>(
  'settle_incoming_mail',
  `UPDATE incoming_mails SET state = $2, reason = $3, from_address = $4, from_name = $5, subject = $6, excerpt = $7,
     ticket_id = $8, user_id = $9, message_id = $10, handled_at = $11,
     content = CASE WHEN $2 <> 'quarantined' THEN NULL
       WHEN $12::integer IS NULL THEN CASE
         WHEN (SELECT coalesce(sum(octet_length(q.content)), 0)
               FROM incoming_mails q JOIN tickets t ON t.id = q.ticket_id
               WHERE q.state = 'quarantined' AND t.account_id = (SELECT account_id FROM tickets WHERE id = $8))
              + octet_length(content) <= $14::bigint
           THEN content END
       WHEN (SELECT coalesce(sum(octet_length(q.content)), 0) FROM incoming_mails q
             WHERE q.state = 'quarantined' AND q.ticket_id IS NULL) + least($12, octet_length(content)) <= $13::bigint
         THEN substring(content FROM 1 FOR $12) END
   WHERE id = $1`,
);

/** Whose answer to what it is, as its address says. */
interface Addressee {
  readonly ticket_id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
}

const addressee = statement<Addressee>(
  'find_addressee',
  `SELECT t.id AS ticket_id, t.account_id, u.id AS user_id, u.email,
     coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), 'N. N.') AS name
   FROM tickets t JOIN users u ON u.id = $2 AND u.account_id = t.account_id AND u.state = 'active'
   JOIN accounts a ON a.id = t.account_id AND a.state <> 'closed'
   WHERE t.number = $1`,
);

type Verdict =
  | {
      readonly kind: 'append';
      readonly mail: IncomingMail;
      readonly files: readonly CheckedFile[];
      readonly to: Addressee;
    }
  | { readonly kind: 'drop'; readonly reason: 'automatic'; readonly mail: IncomingMail }
  | {
      readonly kind: 'quarantine';
      readonly reason: QuarantineReason;
      readonly mail: IncomingMail | null;
      readonly to: Addressee | null;
    };

interface World {
  readonly now: Instant;
  readonly sealer: Sealer;
  readonly sold: Pick<Catalog, 'support' | 'seller'>;
}

/**
 * Looks at a mail that came (rule H5). It becomes a message only when its address was made for one person and one
 * ticket, when that person's address is its sender, and when our own mail server found that the sender's domain
 * stands behind it. References and subjects decide nothing. What a program sent by itself is dropped; everything else
 * waits for an operator. No mail is ever sent because one came.
 */
export async function handleMail(pool: Pool, id: string, world: World): Promise<void> {
  const [kept] = await pool.run(load, [id]);
  if (kept === undefined || kept.state !== 'received') return;
  const verdict = await judge(pool, kept, world);
  const accounts = verdict.kind === 'append' ? [verdict.to.account_id] : [];
  await inUnitOfWork(pool, world.now, accounts, async (tx, uow) => {
    const [locked] = await tx.run(lock, [id]);
    if (locked?.state !== 'received') return;
    if (verdict.kind === 'append') return await appendOwn(tx, uow, locked, verdict, world);
    await settled(tx, locked, uow.now, {
      ...verdict,
      state: verdict.kind === 'drop' ? 'dropped' : 'quarantined',
      to: verdict.kind === 'drop' ? null : verdict.to,
    });
  });
}

/** By the header first: the body is read as mail only for somebody who may write, and the beginning for operators. */
async function judge(db: Executor, kept: KeptMail, { sealer, sold }: World): Promise<Verdict> {
  const content = kept.content ?? Buffer.alloc(0);
  const hold = async (reason: QuarantineReason, to: Addressee | null = null) =>
    ({ kind: 'quarantine', reason, mail: await readBeginning(content, kept.sender), to }) as const;
  const head = await readHead(content, kept.sender).catch(() => null);
  if (head === null) return { kind: 'quarantine', reason: 'unreadable', mail: null, to: null };
  const base = sold.support.address;
  // Our own mail that came back, by whatever way, says that it is automatic; whoever uses our name is a program too.
  if (head.automatic || head.from === base?.toLowerCase())
    return { kind: 'drop', reason: 'automatic', mail: { ...head, text: '', files: [] } };
  if (kept.size > content.length) return await hold('too_large');
  const reply = base === null ? null : openReplyAddress(sealer, base, kept.recipient);
  const [to] = reply === null ? [] : await db.run(addressee, [reply.number, reply.userId]);
  if (to === undefined) return await hold('address_unknown');
  if (head.from !== to.email) return await hold('sender_differs', to);
  if (kept.authenticated_domain !== domainOf(to.email)) return await hold('sender_not_authenticated', to);
  const mail = await readMail(content, kept.sender).catch(() => null);
  if (mail === null) return await hold('unreadable', to);
  if (mail.text === '' && mail.files.length === 0) return await hold('empty', to);
  if (mail.text.length > LONGEST_MESSAGE) return await hold('too_long', to);
  const files = checkFiles(mail.files);
  if (files.kind !== 'checked') return await hold('files_refused', to);
  return { kind: 'append', mail, files: files.files, to };
}

const appended = statement<{ id: string }>(
  'find_mailed_message',
  'SELECT id FROM ticket_messages WHERE ticket_id = $1 AND mail_id = $2',
);

async function appendOwn(
  tx: Transaction,
  uow: UnitOfWork,
  kept: KeptMail,
  { mail, files, to }: Extract<Verdict, { kind: 'append' }>,
  { sold }: World,
): Promise<void> {
  const ticket = await whereItGoesOn(tx, uow, to.ticket_id);
  if (ticket === null) throw new Error(`ticket ${to.ticket_id} is gone`);
  const [known] = mail.messageId === null ? [] : await tx.run(appended, [ticket.id, mail.messageId]);
  if (known !== undefined)
    return await settled(tx, kept, uow.now, { state: 'dropped', reason: 'repeated', mail, to });
  if (ticket.state === 'closed' && !isReopenable(ticket, uow.now))
    return await settled(tx, kept, uow.now, { state: 'quarantined', reason: 'ticket_closed', mail, to });
  if (!(await fits(tx, ticket.account_id, files, sold)))
    return await settled(tx, kept, uow.now, { state: 'quarantined', reason: 'files_refused', mail, to });
  const author = { type: 'customer' as const, id: to.user_id, name: to.name };
  // No mail does anything but add its words: a note of absence must not open what is closed. Operators see it unread.
  const state = ticket.state === 'closed' ? 'closed' : 'open';
  const messageId = await append(tx, uow, ticket, { mail, files, author, state }, sold);
  await settled(tx, kept, uow.now, { state: 'appended', reason: null, mail, to, messageId });
}

/** The ticket, or the one that it was merged into, locked. */
async function whereItGoesOn(tx: Transaction, uow: UnitOfWork, id: string): Promise<Ticket | null> {
  const found = await lockTicket(tx, uow, id);
  return found?.merged_into ? await whereItGoesOn(tx, uow, found.merged_into) : found;
}

async function append(
  tx: Transaction,
  uow: UnitOfWork,
  ticket: Ticket,
  {
    mail,
    files,
    author,
    state,
  }: {
    readonly mail: IncomingMail;
    readonly files: readonly CheckedFile[];
    readonly author: { readonly type: 'customer'; readonly id: string | null; readonly name: string };
    /** What the ticket is with it. */
    readonly state: 'open' | 'closed';
  },
  sold: Pick<Catalog, 'support' | 'seller'>,
): Promise<string> {
  // A mail of files alone says so by their names.
  const body =
    mail.text === ''
      ? files.map(({ filename }) => filename).join('\n') || '—'
      : mail.text.slice(0, LONGEST_MESSAGE);
  const said = await customerWrites(
    tx,
    uow,
    ticket,
    {
      author,
      body: body.toWellFormed(),
      files,
      ...(mail.messageId === null ? {} : { mailId: mail.messageId }),
    },
    sold,
    { state },
  );
  return said.message.id;
}

async function settled(
  tx: Transaction,
  kept: KeptMail,
  now: Instant,
  outcome: {
    readonly state: KeptMail['state'];
    readonly reason: string | null;
    readonly mail: IncomingMail | null;
    readonly to: Pick<Addressee, 'ticket_id' | 'user_id'> | null;
    readonly messageId?: string;
  },
): Promise<void> {
  const { state, reason, mail, to } = outcome;
  await tx.run(settle, [
    kept.id,
    state,
    reason,
    mail?.from ?? '',
    mail?.fromName ?? '',
    mail?.subject ?? '',
    excerptOf(mail?.text ?? ''),
    to?.ticket_id ?? null,
    to?.user_id ?? null,
    outcome.messageId ?? null,
    state === 'quarantined' ? null : now,
    to === null ? headLength(kept.content ?? Buffer.alloc(0)) + BEGINNING_BYTES : null,
    STRANGERS_BYTES,
    CUSTOMERS_BYTES,
  ]);
}

const finish = statement<object>(
  'finish_quarantined_mail',
  `UPDATE incoming_mails SET state = $2, message_id = $3, ticket_id = coalesce($4, ticket_id), handled_at = $5,
     handled_by = $6, content = NULL
   WHERE id = $1`,
);

export type AcceptOutcome =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'handled'; readonly state: KeptMail['state'] }
  /** It was for no ticket that there is, and none was named. */
  | { readonly kind: 'no_ticket' }
  | {
      readonly kind: 'accepted';
      readonly ticket: Ticket;
      readonly messageId: string;
      /** Names of what was attached and cannot be kept. */
      readonly leftOut: readonly string[];
    };

/**
 * Makes a mail that waits a message after all, because an operator says so; a ticket that was closed opens by it. It
 * is the customer's when its address was made for them, and in any case in the name that it bears.
 */
export async function acceptMail(
  tx: Transaction,
  uow: UnitOfWork,
  asked: { readonly id: string; readonly ticketId: string | null; readonly operatorId: string },
  sold: Pick<Catalog, 'support' | 'seller'>,
): Promise<AcceptOutcome> {
  const [found] = await tx.run(load, [asked.id]);
  if (found === undefined) return { kind: 'not_found' };
  const ticketId = asked.ticketId ?? found.ticket_id;
  // Before the mail: accounts are locked first (rule A4).
  const ticket = ticketId === null ? null : await whereItGoesOn(tx, uow, ticketId);
  const [kept] = await tx.run(lock, [asked.id]);
  if (kept?.state !== 'quarantined') return { kind: 'handled', state: kept?.state ?? 'discarded' };
  if (ticket === null) return { kind: 'no_ticket' };
  const mail = await readable(kept);
  const files = mail.files.flatMap((file) => {
    const checked = checkFiles([file]);
    return checked.kind === 'checked' ? checked.files : [];
  });
  const fitting = checkFiles(files);
  const taken =
    fitting.kind === 'checked' && (await fits(tx, ticket.account_id, fitting.files, sold))
      ? fitting.files
      : [];
  const author = {
    type: 'customer' as const,
    id: kept.user_id,
    name: mail.fromName || mail.from || 'N. N.',
  };
  const messageId = await append(tx, uow, ticket, { mail, files: taken, author, state: 'open' }, sold);
  await tx.run(finish, [kept.id, 'appended', messageId, ticket.id, uow.now, asked.operatorId]);
  const bytes = new Set(taken.map(({ content }) => content));
  return {
    kind: 'accepted',
    ticket,
    messageId,
    leftOut: mail.files.filter(({ content }) => !bytes.has(content)).map(({ filename }) => filename),
  };
}

/** What can be read of a mail that perhaps is not whole. */
async function readable(kept: KeptMail): Promise<IncomingMail> {
  const content = kept.content ?? Buffer.alloc(0);
  const nothing = {
    from: null,
    fromName: '',
    subject: '',
    messageId: null,
    automatic: false,
    text: '—',
    files: [],
  };
  const mail = await readMail(content, kept.sender).catch(() => nothing);
  return mail.text === '' && mail.files.length === 0 ? { ...mail, text: '—' } : mail;
}

/** Throws a mail that waits away. */
export async function discardMail(
  tx: Transaction,
  uow: UnitOfWork,
  id: string,
  operatorId: string,
): Promise<'not_found' | 'discarded' | { readonly state: KeptMail['state'] }> {
  const [kept] = await tx.run(lock, [id]);
  if (kept === undefined) return 'not_found';
  if (kept.state !== 'quarantined') return { state: kept.state };
  await tx.run(finish, [id, 'discarded', null, null, uow.now, operatorId]);
  return 'discarded';
}
