import PostalMime, { type Attachment, addressParser, type Email } from 'postal-mime';
import sanitizeHtml from 'sanitize-html';
import { type GivenFile, LONGEST_FILENAME } from '../attachments/attachment.ts';
import { replyText } from './reply-text.ts';

/** What a mail's header says: all that is looked at of a mail before somebody is found who may write. */
export interface MailHead {
  /** In lower case; null: From is not one mailbox and nothing else. */
  readonly from: string | null;
  readonly fromName: string;
  readonly subject: string;
  /** Without its brackets; null: it has none. */
  readonly messageId: string | null;
  /** Whether a program sent it by itself: it gets no answer, and is none. */
  readonly automatic: boolean;
}

/** A mail as it is read here. */
export interface IncomingMail extends MailHead {
  /** What was written, without quotations and signature. */
  readonly text: string;
  readonly files: readonly GivenFile[];
}

const OPTIONS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };

/** As much of a text or a page as is read, in UTF-16 units: many times the longest message. */
const MOST_TEXT = 256 * 1024;
/** What is read, beside the header, of a mail that nobody answers for. */
export const BEGINNING_BYTES = 64 * 1024;

/**
 * Reading costs by the line, and gives the process back to nobody meanwhile. The largest mail that people's programs
 * write, of lines of 76 letters, has fewer.
 */
const MOST_LINES = 300_000;

function hasTooManyLines(content: Buffer): boolean {
  let lines = 0;
  for (let at = content.indexOf(0x0a); at >= 0 && lines <= MOST_LINES; at = content.indexOf(0x0a, at + 1))
    lines += 1;
  return lines > MOST_LINES;
}

/** Where the body begins: behind the first empty line (RFC 5322 §2.1), or at the end of what a header may hold. */
export function headLength(content: Buffer): number {
  const begin = content.subarray(0, OPTIONS.maxHeadersSize);
  for (let at = 0; at < begin.length; ) {
    const end = begin.indexOf(0x0a, at);
    if (end < 0) break;
    if (end === at || (end === at + 1 && begin[at] === 0x0d)) return end + 1;
    at = end + 1;
  }
  return begin.length;
}

/** Reads a mail's header (RFC 5322), and nothing behind it. */
export async function readHead(content: Buffer, sender: string): Promise<MailHead> {
  return headOf(await PostalMime.parse(content.subarray(0, headLength(content)), OPTIONS), sender);
}

/** Reads a mail (RFC 5322, MIME) in seconds at most. Throws on one that nests too deeply, or has too many lines. */
export async function readMail(content: Buffer, sender: string): Promise<IncomingMail> {
  if (hasTooManyLines(content)) throw new RangeError('a mail of too many lines');
  const email = await PostalMime.parse(content, OPTIONS);
  const text = email.text?.slice(0, MOST_TEXT) ?? textOf((email.html ?? '').slice(0, MOST_TEXT));
  return {
    ...headOf(email, sender),
    text: clean(replyText(text)),
    files: email.attachments.flatMap(fileOf),
  };
}

/** How a mail begins, for people to look at: no files, and no text when it is of no form that can be read. */
export async function readBeginning(content: Buffer, sender: string): Promise<IncomingMail> {
  const begin = content.subarray(0, headLength(content) + BEGINNING_BYTES);
  try {
    return { ...(await readMail(begin, sender)), files: [] };
  } catch {
    return { ...(await readHead(content, sender)), text: '', files: [] };
  }
}

function headOf(email: Email, sender: string): MailHead {
  const froms = email.headers.filter(({ key }) => key === 'from');
  const from = froms.length === 1 ? onlyMailbox(froms[0]?.value ?? '') : null;
  return {
    from,
    fromName: oneLine(email.from?.name ?? '', 100),
    subject: oneLine(email.subject ?? '', 300),
    messageId: /^<([^<>\s]{1,300})>$/.exec(email.messageId?.trim() ?? '')?.[1] ?? null,
    automatic: isAutomatic(email, sender, from ?? ''),
  };
}

const LONGEST_FROM = 1000;

/**
 * The address in a From that is one mailbox, with or without a name before it. Two, a group, or anything behind the
 * address is nobody: our mail server could have checked another address than the one that is read here.
 */
function onlyMailbox(value: string): string | null {
  const given = value.trim();
  if (given.length > LONGEST_FROM) return null;
  const [mailbox, ...others] = addressParser(given);
  const address = mailbox?.address?.trim();
  if (!address || others.length > 0 || !/^[^\s@<>()",:;\\]+@[^\s@<>()",:;\\]+$/.test(address)) return null;
  if (given === address) return address.toLowerCase();
  const name = given.endsWith(`<${address}>`) ? given.slice(0, -address.length - 2) : null;
  // A name in quotation marks may hold anything.
  const outside = name?.replace(/"(?:[^"\\]|\\.)*"/g, '') ?? '<';
  return /[<>",:;]/.test(outside) ? null : address.toLowerCase();
}

const ROBOTS = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo)([+@]|$)/i;
// Envelopes of people's mail may be made by programs, too: only who reports on mail is one for sure.
const REPORTERS = /^(mailer-daemon|postmaster)@/i;
const MARKS = ['list-id', 'x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-loop'];

/** RFC 3834 §2 and what programs wrote before it. */
function isAutomatic({ headers }: Email, sender: string, from: string): boolean {
  const says = (name: string, what: RegExp) =>
    headers.some(({ key, value }) => key === name && what.test(value.trim()));
  return (
    sender === '' ||
    REPORTERS.test(sender) ||
    ROBOTS.test(from) ||
    says('auto-submitted', /^(?!no\b)/i) ||
    says('precedence', /^(bulk|junk|list|auto_reply)\b/i) ||
    says('content-type', /^(multipart\/report|message\/delivery-status)\b/i) ||
    MARKS.some((name) => says(name, /^/))
  );
}

/** The text of a page: paragraphs and breaks as lines, and without what it quotes. */
function textOf(html: string): string {
  const broken = html
    .replace(/<br\b[^>]{0,200}>/gi, '\n')
    .replace(/<\/(p|div|li|tr|h[1-6]|blockquote|pre)\s{0,10}>/gi, '\n');
  const text = sanitizeHtml(broken, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'title', 'head', 'blockquote'],
    nestingLimit: 200,
  });
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

function fileOf({ filename, mimeType, content }: Attachment, index: number): GivenFile[] {
  if (typeof content === 'string') return [];
  const bytes = Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content);
  // What signs or encrypts a mail is of no use in a ticket; an empty part is nothing.
  if (bytes.length === 0 || /^application\/(pkcs7|x-pkcs7|pgp)/.test(mimeType)) return [];
  const name = oneLine((filename ?? '').replace(/[/\\]/g, '_'), LONGEST_FILENAME);
  return [{ filename: name === '' ? `file-${index + 1}` : name, content: bytes }];
}

// Controls, and marks that turn the direction of the text around them.
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

function oneLine(text: string, most: number): string {
  return text.toWellFormed().replace(HIDDEN, ' ').trim().slice(0, most).toWellFormed();
}

/** What no column can keep, and no reader sees, is left out. */
function clean(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');
}
