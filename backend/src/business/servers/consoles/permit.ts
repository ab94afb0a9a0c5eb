import type { Instant } from '../../../base/time.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import type { Server } from '../server.ts';
import type { Screen } from './screen.ts';
import { reachedLimit } from './session.ts';
import { type ConsoleTicket, issueTicket, type TicketDraft } from './ticket.ts';

/** States in which a server's customer may see its screen; suspensions are besides (rule E1). */
export const OPEN_STATES: readonly ServiceState[] = ['active', 'cancel_scheduled'];

export type Permission =
  | ({ readonly kind: 'given' } & ConsoleTicket)
  | { readonly kind: 'state_conflict'; readonly current: ServiceState }
  | { readonly kind: 'not_running' }
  | { readonly kind: 'unknown'; readonly backend: string }
  | { readonly kind: 'too_many'; readonly limit: number };

/** Gives the permission to open a server's console once. The account is locked. */
export async function permitConsole(
  tx: Transaction,
  found: Server,
  screen: Screen,
  who: Omit<TicketDraft, 'serverId' | 'accountId'>,
  now: Instant,
): Promise<Permission> {
  const current = found.suspensions.length > 0 ? 'suspended' : found.state;
  if (!OPEN_STATES.includes(current)) return { kind: 'state_conflict', current };
  if (screen.kind === 'unknown') return { kind: 'unknown', backend: screen.backend };
  if (screen.kind === 'off') return { kind: 'not_running' };
  const { id: serverId, account_id: accountId } = found;
  const limit = await reachedLimit(tx, accountId, serverId, now);
  if (limit !== null) return { kind: 'too_many', limit };
  return { kind: 'given', ...(await issueTicket(tx, { ...who, serverId, accountId }, now)) };
}
