import { z } from 'zod';
import { ipAddress, label, uuid } from '../../api/field.ts';
import { bindAddress, bindingsOf } from '../../business/licenses/bindings.ts';
import { license } from '../../business/licenses/license.ts';
import { operation } from '../../operation.ts';
import { bindings, wirePackage } from './license.schema.ts';

export default operation({
  method: 'POST',
  path: 'panel/bind-ip',
  summary: 'Bind a license to an address',
  description: 'An address that is bound already keeps its place and gets the new description.',
  audience: 'customer',
  scope: 'panel:write',
  input: z.strictObject({ uuid, ip_address: ipAddress, description: label.default('') }),
  output: bindings,
  message: { en: 'The address is bound.', de: 'Die Adresse ist gebunden.' },
  errors: ['not_found', 'ip_limit_reached'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', ip_address: '192.0.2.7' } },
  resource: license,
  async handle(tx, ctx, input, found) {
    const { package: pack } = wirePackage(ctx.catalog, found.item);
    const outcome = await bindAddress(tx, ctx.uow, found, pack.ip_limit, input.ip_address, input.description);
    if (outcome === 'limit_reached') {
      throw ctx.refusal('ip_limit_reached', { members: { limit: pack.ip_limit } });
    }
    const bound = await bindingsOf(tx, found.id);
    return { ip_bindings: bound, ip_bindings_count: bound.length };
  },
});
