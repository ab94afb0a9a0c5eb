import type { Sealer } from '../../../base/seal.ts';
import type { MailMessage } from '../../../drivers/mail/port.ts';
import { replyAddress } from './reply-address.ts';

/** How a mail belongs to others, and who may answer it: kept with the mail as JSON. */
export interface MailThread {
  /** Names the conversation; readers' programs show together what refers to it. */
  readonly root: string;
  /** Message-IDs of mails of the reader's own, which this one answers. */
  readonly references: readonly string[];
  /** The ticket that an answer goes to, and the only person whose answer it is; null: it cannot be answered. */
  readonly reply: { readonly number: string; readonly user_id: string } | null;
}

/** A mail's place in its conversation (RFC 5322 §3.6.4) and where its answer goes. */
export function threadHeaders(
  thread: MailThread | null,
  {
    domain,
    replies,
    sealer,
  }: { readonly domain: string; readonly replies: string | null; readonly sealer: Sealer },
): Pick<MailMessage, 'references' | 'replyTo'> {
  if (thread === null) return {};
  const references = [`${thread.root}.thread@${domain}`, ...thread.references];
  if (thread.reply === null || replies === null) return { references };
  const { number, user_id: userId } = thread.reply;
  return { references, replyTo: replyAddress(sealer, replies, { number: BigInt(number), userId }) };
}
