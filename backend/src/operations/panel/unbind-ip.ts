import { z } from 'zod';
import { ipAddress, uuid } from '../../api/field.ts';
import { bindingsOf, unbindAddress } from '../../business/licenses/bindings.ts';
import { license } from '../../business/licenses/license.ts';
import { operation } from '../../operation.ts';
import { bindings } from './license.schema.ts';

export default operation({
  method: 'POST',
  path: 'panel/unbind-ip',
  summary: 'Release an address of a license',
  audience: 'customer',
  scope: 'panel:write',
  input: z.strictObject({ uuid, ip_address: ipAddress }),
  output: bindings,
  message: { en: 'The address is released.', de: 'Die Adresse ist freigegeben.' },
  errors: ['not_found', 'ip_not_assigned'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', ip_address: '192.0.2.7' } },
  resource: license,
  async handle(tx, ctx, input, found) {
    if (!(await unbindAddress(tx, ctx.uow, found, input.ip_address))) throw ctx.refusal('ip_not_assigned');
    const bound = await bindingsOf(tx, found.id);
    return { ip_bindings: bound, ip_bindings_count: bound.length };
  },
});
