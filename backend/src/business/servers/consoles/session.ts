import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { MachineRef } from '../../../drivers/hypervisor/port.ts';
import { lockAccounts } from '../../../unit-of-work/unit-of-work.ts';
import { type EndReason, STANDING, WHY_NOT } from './console-state.ts';
import { hashOf } from './ticket.ts';

/** How long somebody may look at a screen before they have to ask again. */
export const SESSION_SECONDS = 4 * 3600;
/** How many may look at the screens of one server, and of one account, at once. */
export const MOST_SESSIONS = { server: 4, account: 20 } as const;
/** A session that its process has said nothing of for so long is over. */
export const SILENT_SECONDS = 60;

export interface ConsoleSession {
  readonly id: string;
  readonly accountId: string;
  readonly machine: MachineRef;
  readonly limitAt: Instant;
}

export type Beginning =
  | { readonly kind: 'begun'; readonly session: ConsoleSession }
  /** Used, over, unknown, or for somewhere else: these look the same. */
  | { readonly kind: 'no_ticket' }
  | { readonly kind: 'not_now'; readonly reason: EndReason }
  | { readonly kind: 'too_many'; readonly limit: number };

interface TicketRow {
  server_id: string;
  account_id: string;
  user_id: string;
  token_id: string;
  request_id: string;
}

// Whoever deletes the row has the ticket; of two at the same moment, in whatever processes, one finds none.
const redeem = statement<TicketRow>(
  'redeem_console_ticket',
  `DELETE FROM console_tickets WHERE hash = (
     SELECT hash FROM console_tickets WHERE hash = $1 AND expires_at > $2 AND (ip IS NULL OR ip = $3::inet)
     FOR UPDATE SKIP LOCKED)
   RETURNING server_id, account_id, user_id, token_id, request_id`,
);

const countOpen = statement<{ server: number; account: number }>(
  'count_console_sessions',
  `SELECT count(*) FILTER (WHERE server_id = $2)::int AS server, count(*)::int AS account
   FROM console_sessions WHERE account_id = $1 AND ended_at IS NULL AND seen_at > $3`,
);

const standing = statement<{ host: string; node: string; why_not: EndReason | null }>(
  'console_standing',
  `SELECT v.host, v.node, ${WHY_NOT} AS why_not
   FROM (SELECT $1::uuid AS server_id, $3::uuid AS account_id, $4::uuid AS token_id) c ${STANDING}`,
);

const insert = statement<object>(
  'begin_console_session',
  `INSERT INTO console_sessions (id, server_id, account_id, user_id, token_id, request_id, ip, began_at, limit_at, seen_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8)`,
);

/**
 * How many consoles there may be where there are as many already; null: there is room. Exact while the account is
 * locked.
 */
export async function reachedLimit(
  tx: Transaction,
  accountId: string,
  serverId: string,
  now: Instant,
): Promise<number | null> {
  const silentSince = now.subtract({ seconds: SILENT_SECONDS });
  const [open] = await tx.run(countOpen, [accountId, serverId, silentSince]);
  if ((open?.server ?? 0) >= MOST_SESSIONS.server) return MOST_SESSIONS.server;
  return (open?.account ?? 0) >= MOST_SESSIONS.account ? MOST_SESSIONS.account : null;
}

/** Takes a ticket, which is used up by it whatever comes of it, and begins the session that it stands for. */
export async function beginSession(
  pool: Pool,
  given: { readonly id: string; readonly ticket: string; readonly ip: string },
  now: Instant,
): Promise<Beginning> {
  return await transaction(pool, async (tx) => {
    const [ticket] = await tx.run(redeem, [hashOf(given.ticket), now, given.ip]);
    if (ticket === undefined) return { kind: 'no_ticket' };
    const { server_id: serverId, account_id: accountId, token_id: tokenId } = ticket;
    await lockAccounts(tx, [accountId]);
    const limit = await reachedLimit(tx, accountId, serverId, now);
    if (limit !== null) return { kind: 'too_many', limit };
    const [server] = await tx.run(standing, [serverId, now, accountId, tokenId]);
    if (server === undefined || server.why_not !== null)
      return { kind: 'not_now', reason: server?.why_not ?? 'service_ended' };
    const limitAt = now.add({ seconds: SESSION_SECONDS });
    const { user_id: userId, request_id: requestId } = ticket;
    const row = [given.id, serverId, accountId, userId, tokenId, requestId, given.ip, now, limitAt];
    await tx.run(insert, row);
    const machine = { serverId, host: server.host, node: server.node };
    return { kind: 'begun', session: { id: given.id, accountId, machine, limitAt } };
  });
}
