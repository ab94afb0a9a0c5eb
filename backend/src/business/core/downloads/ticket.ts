import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';

/**
 * What a link can open. A kind is added here, and what it opens in wire/download.ts, which does not compile
 * without it.
 */
export type DownloadKind = 'invoice_pdf' | 'invoice_xml' | 'export' | 'ticket_attachment';

/** One thing that may be downloaded, and whose it is: the file is looked for among this account's only. */
export interface Download {
  readonly kind: DownloadKind;
  readonly id: string;
  readonly accountId: string;
}

/** Where the route of wire/download.ts is. */
export const DOWNLOAD_PATH = '/download';

const PURPOSE = 'download';
const MINUTES = 15;

/** What a link is made of; every operation's context has it. */
export interface LinkContext {
  readonly now: Instant;
  readonly sealer: Sealer;
  readonly publicUrl: string;
}

/**
 * An address that anyone can open for 15 minutes, and nobody can guess or change: browsers follow it without a
 * token. Whoever asks for a link must have been found to own the thing: the link is the permission.
 *
 *     export_url: downloadLink(ctx, { kind: 'export', id: found.id, accountId: ctx.caller.accountId })
 */
export function downloadLink(ctx: LinkContext, download: Download): string {
  const expires = ctx.now.add({ minutes: MINUTES }).epochMilliseconds;
  const ticket = JSON.stringify([download.kind, download.id, download.accountId, expires]);
  return `${ctx.publicUrl}${DOWNLOAD_PATH}/${ctx.sealer.seal(PURPOSE, ticket).toString('base64url')}`;
}

/** What a link's ticket opens now; null when it has expired, or nobody here made it. */
export function openTicket(sealer: Sealer, ticket: string, now: Instant): Download | null {
  const opened = opening(sealer, ticket);
  if (opened === null) return null;
  const [kind, id, accountId, expires] = JSON.parse(opened) as [DownloadKind, string, string, number];
  return now.epochMilliseconds < expires ? { kind, id, accountId } : null;
}

function opening(sealer: Sealer, ticket: string): string | null {
  try {
    return sealer.openText(PURPOSE, Buffer.from(ticket, 'base64url'));
  } catch {
    return null;
  }
}
