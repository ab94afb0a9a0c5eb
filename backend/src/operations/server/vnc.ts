import { z } from 'zod';
import { CONSOLE_ERRORS, consoleInput, ticketFor, ticketOf } from '../../api/console.ts';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { permitConsole } from '../../business/servers/consoles/permit.ts';
import { screenOf } from '../../business/servers/consoles/screen.ts';
import { SESSION_SECONDS } from '../../business/servers/consoles/session.ts';
import {
  CONSOLE_PROTOCOL,
  consoleAddresses,
  ticketProtocol,
} from '../../business/servers/consoles/ticket.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

// The ticket is none of the `secrets` that operators in a customer's place are not shown: they may look at screens,
// and the session says who did.
export default operation({
  method: 'GET',
  path: 'server/vnc',
  summary: "Open a server's console",
  description:
    'Gives a ticket for one connection, which has to begin before `expires_at`. `link` is a page that shows the ' +
    'console. Programs open `websocket_url` with the subprotocols of `subprotocols`, in JavaScript ' +
    '`new WebSocket(websocket_url, subprotocols)`, and speak RFB 3.8 (RFC 6143) without authentication in binary ' +
    'messages. Browsers may do so from pages of this installation, and of the origins that its operator allows. The ' +
    'connection ends after `max_session_seconds`, when the machine is switched off, when the token is revoked or ' +
    'over, and when the server is suspended or ends.',
  audience: 'customer',
  scope: 'server:console',
  input: consoleInput,
  output: z.object({
    uuid,
    protocol: z.literal('vnc_websocket'),
    websocket_url: z.string(),
    subprotocols: z.array(z.string()).describe('The second of them is the ticket.'),
    ticket: z.string().describe('For one connection.'),
    password: z.literal('').describe('The console asks for none.'),
    port: z.null(),
    link: z.string().describe('A page for a browser. It holds the ticket.'),
    expires_at: timestamp,
    max_session_seconds: z.int(),
  }),
  message: { en: 'The console can be opened.', de: 'Die Konsole kann geöffnet werden.' },
  errors: CONSOLE_ERRORS,
  // An answer that is repeated holds a ticket that is used.
  idempotent: false,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  ask: (ctx, { uuid }) => screenOf(ctx.db, ctx.ports.hypervisor, { accountId: ctx.caller.accountId, uuid }),
  async handle(tx, ctx, { bind_ip: bindIp }, found, screen) {
    const who = ticketFor(ctx, bindIp);
    const permission = await permitConsole(tx, found, screen, who, ctx.uow.now);
    const { ticket, expiresAt } = ticketOf(ctx, permission);
    const { socket, page } = consoleAddresses(ctx.publicUrl, found, ticket);
    return {
      uuid: found.id,
      protocol: 'vnc_websocket' as const,
      websocket_url: socket,
      subprotocols: [CONSOLE_PROTOCOL, ticketProtocol(ticket)],
      ticket,
      password: '' as const,
      port: null,
      link: page,
      expires_at: wireTime(expiresAt),
      max_session_seconds: SESSION_SECONDS,
    };
  },
});
