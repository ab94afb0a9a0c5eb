import { z } from 'zod';
import { OPEN_STATES, type Permission } from '../business/servers/consoles/permit.ts';
import type { ConsoleTicket, TicketDraft } from '../business/servers/consoles/ticket.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import type { Caller } from '../operation.ts';
import { uuid } from './field.ts';

/** Fields of the operations that open consoles, and what they have in common. */

export const CONSOLE_ERRORS = [
  'not_found',
  'state_conflict',
  'server_not_running',
  'console_limit_reached',
  'backend_unavailable',
] as const;

export const consoleInput = z.strictObject({
  uuid,
  bind_ip: z
    .boolean()
    .default(false)
    .describe('The ticket is taken only from the address that this request came from.'),
});

/** For whom a ticket is. */
export function ticketFor(
  ctx: { readonly requestId: string; readonly ip: string; readonly caller: Caller },
  bindIp: boolean,
): Omit<TicketDraft, 'serverId' | 'accountId'> {
  const { userId, tokenId } = ctx.caller;
  return { userId, tokenId, requestId: ctx.requestId, ip: bindIp ? ctx.ip : null };
}

/** The ticket, or the refusal that takes its place. */
export function ticketOf(
  ctx: { refusal(code: (typeof CONSOLE_ERRORS)[number], detail?: RefusalDetail): Refusal },
  permission: Permission,
): ConsoleTicket {
  switch (permission.kind) {
    case 'given':
      return permission;
    case 'state_conflict': {
      const members = { current_state: permission.current, allowed_states: OPEN_STATES };
      throw ctx.refusal('state_conflict', { members });
    }
    case 'not_running':
      throw ctx.refusal('server_not_running');
    case 'unknown':
      throw ctx.refusal('backend_unavailable', { members: { backend: permission.backend } });
    case 'too_many':
      throw ctx.refusal('console_limit_reached', { members: { limit: permission.limit } });
  }
}
