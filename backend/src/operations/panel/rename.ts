import { z } from 'zod';
import { customName, uuid } from '../../api/field.ts';
import { license } from '../../business/licenses/license.ts';
import { renameService } from '../../business/selling/subscriptions/version.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'panel/rename',
  summary: 'Give a license a name of your own',
  audience: 'customer',
  scope: 'panel:write',
  input: z.strictObject({
    uuid,
    custom_name: customName.describe('null takes the name away.'),
    expected_version: z.int().min(1).optional(),
  }),
  output: z.object({ uuid, custom_name: z.string().nullable(), version: z.int() }),
  message: { en: 'The license was renamed.', de: 'Die Lizenz wurde umbenannt.' },
  errors: ['not_found', 'version_mismatch'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', custom_name: 'Shop' } },
  resource: license,
  handle(_tx, ctx, input, found) {
    if (input.expected_version !== undefined && input.expected_version !== found.version) {
      throw ctx.refusal('version_mismatch', { members: { current_version: found.version } });
    }
    const name = input.custom_name === '' ? null : input.custom_name;
    renameService(ctx.uow, found.id, name);
    return { uuid: found.id, custom_name: name, version: found.version + 1 };
  },
});
