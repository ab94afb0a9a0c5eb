import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { removeAccountKey } from '../../business/servers/account-keys.ts';
import { operation } from '../../operation.ts';
import { mustSeeAccount } from './ssh-keys.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/sshkey-remove',
  summary: 'Keep an SSH key no longer',
  description: 'Servers that were installed with it keep it.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ key_uuid: uuid }),
  output: z.object({ key_uuid: uuid }),
  message: { en: 'The key was removed.', de: 'Der Schlüssel wurde entfernt.' },
  errors: ['not_found', 'token_restricted'],
  example: { input: { key_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12' } },
  async handle(tx, ctx, { key_uuid }) {
    mustSeeAccount(ctx);
    if (!(await removeAccountKey(tx, ctx.caller.accountId, key_uuid))) throw ctx.refusal('not_found');
    return { key_uuid };
  },
});
