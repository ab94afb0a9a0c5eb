import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { firewallOf } from '../../business/servers/network/firewall.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { shownFirewall, wireFirewall } from './firewall.schema.ts';

export default operation({
  method: 'GET',
  path: 'server/firewall',
  summary: 'What the firewall of a server lets through',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, ...shownFirewall, version: z.int() }),
  message: { en: 'These are the rules of the firewall.', de: 'Das sind die Regeln der Firewall.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async read(ctx, _input, found) {
    const firewall = await firewallOf(ctx.db, found.id);
    return { uuid: found.id, ...wireFirewall(firewall), version: firewall.version };
  },
});
