import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import { listDatabases, setDatabasePassword } from '../../business/webspaces/databases.ts';
import { PASSWORD_PURPOSE, webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, changed, mustBeOn, password } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/database-password',
  summary: 'Change the password of a database',
  audience: 'customer',
  scope: 'webspace:write',
  plantsAccess: true,
  input: z.strictObject({
    uuid,
    database_uuid: uuid,
    password: password.optional().describe('Omitted: one is made, and shown in the answer.'),
  }),
  output: z.object({
    ...changed,
    name: z.string(),
    password: z.string().nullable().describe('Only when it was made here; shown once.'),
  }),
  message: {
    en: 'The password of the database is being changed.',
    de: 'Das Passwort der Datenbank wird geändert.',
  },
  errors: CHANGE_ERRORS,
  secrets: ['password'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      database_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
    },
  },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const known = await listDatabases(tx, found.id);
    const database = known.find(({ id }) => id === input.database_uuid);
    if (database === undefined) throw ctx.refusal('not_found');
    const given = input.password ?? newPassword();
    await setDatabasePassword(tx, database.id, ctx.sealer.seal(PASSWORD_PURPOSE, given));
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      name: database.name,
      password: input.password === undefined ? given : null,
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
