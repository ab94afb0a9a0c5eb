import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** How long there is to open a console. */
const TICKET_SECONDS = 120;
const RANDOM_BYTES = 32;

/** Where the page is that shows a console, and below it where its WebSocket is. */
export const CONSOLE_PATH = '/console';
export const CONSOLE_SOCKET_PATH = `${CONSOLE_PATH}/socket`;

/** What a console speaks over its WebSocket; beside it, an opener offers {@link ticketProtocol}. */
export const CONSOLE_PROTOCOL = 'binary';

const TICKET_PROTOCOL = 'ticket.';

/** The permission to open one console once. */
export interface ConsoleTicket {
  readonly ticket: string;
  readonly expiresAt: Instant;
}

export interface TicketDraft {
  readonly serverId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly tokenId: string;
  readonly requestId: string;
  /** null: it is taken from anywhere. */
  readonly ip: string | null;
}

const insert = statement<object>(
  'insert_console_ticket',
  `INSERT INTO console_tickets (hash, server_id, account_id, user_id, token_id, request_id, ip, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Makes a ticket. Nobody can read it afterwards: only its hash is kept. */
export async function issueTicket(tx: Transaction, draft: TicketDraft, now: Instant): Promise<ConsoleTicket> {
  const ticket = randomBytes(RANDOM_BYTES).toString('base64url');
  const expiresAt = now.add({ seconds: TICKET_SECONDS });
  const { serverId, accountId, userId, tokenId, requestId, ip } = draft;
  const values = [hashOf(ticket), serverId, accountId, userId, tokenId, requestId, ip, now, expiresAt];
  await tx.run(insert, values);
  return { ticket, expiresAt };
}

/** What of a ticket is kept. */
export function hashOf(ticket: string): Buffer {
  return sha256(ticket);
}

/**
 * A ticket as a WebSocket carries it: as a subprotocol, because browsers let a page choose no other header, and
 * addresses are written into logs on the way.
 */
export function ticketProtocol(ticket: string): string {
  return TICKET_PROTOCOL + ticket;
}

/** The ticket among the subprotocols that are offered; null: there is none. */
export function ticketAmong(protocols: readonly string[]): string | null {
  const found = protocols.find((protocol) => protocol.startsWith(TICKET_PROTOCOL));
  return found?.slice(TICKET_PROTOCOL.length) ?? null;
}

/** The WebSocket of a console, and the page that shows it: the ticket is behind the #, which is never sent. */
export function consoleAddresses(
  publicUrl: string,
  { id: server, hostname: name }: { readonly id: string; readonly hostname: string },
  ticket: string,
): { readonly socket: string; readonly page: string } {
  const fragment = new URLSearchParams({ name, server, ticket });
  return {
    socket: `${publicUrl.replace(/^http/, 'ws')}${CONSOLE_SOCKET_PATH}`,
    page: `${publicUrl}${CONSOLE_PATH}#${fragment}`,
  };
}
