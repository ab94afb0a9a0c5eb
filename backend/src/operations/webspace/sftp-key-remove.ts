import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { removeKey } from '../../business/webspaces/sftp-keys.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, changed, mustBeOn } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/sftp-key-remove',
  summary: 'Let a key open the SFTP of a webspace no more',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({ uuid, key_uuid: uuid }),
  output: z.object(changed),
  message: { en: 'The key is being removed.', de: 'Der Schlüssel wird entfernt.' },
  errors: CHANGE_ERRORS,
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      key_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
    },
  },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    if (!(await removeKey(tx, found.id, input.key_uuid))) throw ctx.refusal('not_found');
    bumpVersion(ctx.uow, found.id);
    return { uuid: found.id, version: found.version + 1, task: configure(ctx.uow, found) };
  },
});
