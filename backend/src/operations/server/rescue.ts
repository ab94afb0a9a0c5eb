import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import { RESCUE } from '../../business/servers/changes/rescue.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';
import { chosenKeys, installedKeys } from './ssh-keys.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/rescue',
  summary: 'Start a server from the rescue system',
  description:
    "Cuts the power and starts the provider's rescue system, at the server's own addresses. The server's disk is the second " +
    'one there, and nothing of it is changed. Who logs in has a password that is made for this rescue, or the keys that ' +
    'are given. Called again, the rescue system is made anew. Meanwhile there are no snapshots and no restorations, and ' +
    'the password of the server stays; `server/rescue-end` and a reinstallation end it.',
  audience: 'customer',
  scope: 'server:write',
  plantsAccess: true,
  input: z.strictObject({ uuid, ...installedKeys }),
  output: z.object({
    uuid,
    username: z.string(),
    password: z
      .string()
      .nullable()
      .describe('Shown once; null where keys were given: then only they open it.'),
    task,
  }),
  message: { en: 'The rescue system is being started.', de: 'Das Rettungssystem wird gestartet.' },
  errors: [...CHANGE_ERRORS, 'validation_failed', 'not_supported_by_backend'],
  secrets: ['password'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    const system = ctx.catalog.hosts.get(found.host)?.rescue ?? null;
    if (system === null) throw ctx.refusal('not_supported_by_backend', { members: { capability: 'rescue' } });
    const keys = (await chosenKeys(ctx, tx, found.account_id, input)) ?? [];
    const password = keys.length === 0 ? newPassword() : null;
    const { image, username } = system;
    const begun = beginChange(ctx.uow, ctx.sealer, found, {
      type: RESCUE,
      wanted: { image, username, ssh_keys: keys },
      ...(password === null ? {} : { secret: password }),
    });
    return { uuid: found.id, username, password, task: begun };
  },
});
