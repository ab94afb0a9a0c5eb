import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { lockService } from '../../business/selling/subscriptions/suspension.ts';
import { nullRoute, serverOfAddress } from '../../business/servers/network/network-access.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/null-route',
  summary: 'Let nothing come to or from an address of a server, or lift that',
  description:
    'Of an IPv4 address, or an IPv6 network in prefix notation as `server/ipaddresses` shows it, where its customer sees ' +
    '`null_routed`. It ends when the server has the address no more.',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({
    ip_address: z.union([z.ipv4(), z.cidrv6()], 'An IPv4 address, or an IPv6 network in prefix notation.'),
    null_routed: z.boolean(),
    reason: z.string().trim().max(1000).default('').describe('For operators.'),
  }),
  output: z.object({ server_uuid: uuid, ip_address: z.string(), null_routed: z.boolean() }),
  message: { en: 'The address is set.', de: 'Die Adresse ist gesetzt.' },
  errors: ['not_found'],
  example: { input: { ip_address: '198.51.100.7', null_routed: true, reason: 'Attack, ticket 4711' } },
  async handle(tx, ctx, { ip_address, null_routed, reason }) {
    const id = await serverOfAddress(tx, ip_address);
    const service = id === null ? null : await lockService(tx, ctx.uow, id);
    if (service === null) throw ctx.refusal('not_found');
    const is = await nullRoute(tx, ctx.uow, service.id, ip_address, null_routed ? reason : null);
    if (!is) throw ctx.refusal('not_found');
    return { server_uuid: service.id, ip_address, null_routed };
  },
});
