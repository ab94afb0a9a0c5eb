import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import { PASSWORD_PURPOSE, webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, changed, mustBeOn, password } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/password',
  summary: 'Change the SFTP password',
  audience: 'customer',
  scope: 'webspace:write',
  plantsAccess: true,
  input: z.strictObject({
    uuid,
    password: password.optional().describe('Omitted: one is made, and shown in the answer.'),
  }),
  output: z.object({
    ...changed,
    username: z.string(),
    password: z.string().nullable().describe('Only when it was made here; shown once.'),
  }),
  message: { en: 'The password is being changed.', de: 'Das Passwort wird geändert.' },
  errors: CHANGE_ERRORS,
  secrets: ['password'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const given = input.password ?? newPassword();
    await tx.kysely
      .updateTable('webspaces')
      .set({ password_sealed: ctx.sealer.seal(PASSWORD_PURPOSE, given) })
      .where('id', '=', found.id)
      .execute();
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      username: found.username,
      password: input.password === undefined ? given : null,
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
