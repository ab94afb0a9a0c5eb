import { z } from 'zod';
import { CONSOLE_ERRORS, consoleInput, ticketFor, ticketOf } from '../../api/console.ts';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { permitConsole } from '../../business/servers/consoles/permit.ts';
import { screenOf } from '../../business/servers/consoles/screen.ts';
import { consoleAddresses } from '../../business/servers/consoles/ticket.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'tools/novnc',
  summary: "A page that shows a server's console",
  description:
    'The page can be opened once, before `expires_at`, in any browser. `server/vnc` gives the same for programs.',
  audience: 'customer',
  scope: 'server:console',
  input: consoleInput,
  output: z.object({
    link: z.string(),
    expires_at: timestamp,
    single_use: z.literal(true),
    server: z.object({ uuid, hostname: z.string() }),
  }),
  message: { en: 'The console can be opened.', de: 'Die Konsole kann geöffnet werden.' },
  errors: CONSOLE_ERRORS,
  // An answer that is repeated holds a link that is used.
  idempotent: false,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  ask: (ctx, { uuid }) => screenOf(ctx.db, ctx.ports.hypervisor, { accountId: ctx.caller.accountId, uuid }),
  async handle(tx, ctx, { bind_ip: bindIp }, found, screen) {
    const who = ticketFor(ctx, bindIp);
    const permission = await permitConsole(tx, found, screen, who, ctx.uow.now);
    const { ticket, expiresAt } = ticketOf(ctx, permission);
    return {
      link: consoleAddresses(ctx.publicUrl, found, ticket).page,
      expires_at: wireTime(expiresAt),
      single_use: true as const,
      server: { uuid: found.id, hostname: found.hostname },
    };
  },
});
