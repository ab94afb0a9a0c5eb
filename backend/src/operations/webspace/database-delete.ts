import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { listDatabases, unwantDatabase } from '../../business/webspaces/databases.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, changed, mustBeOn } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/database-delete',
  summary: 'Delete a database with everything in it',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({
    uuid,
    database_uuid: uuid,
    confirm: z.string().max(100).describe("The database's name."),
  }),
  output: z.object({ ...changed, name: z.string() }),
  message: { en: 'The database is being deleted.', de: 'Die Datenbank wird gelöscht.' },
  errors: [...CHANGE_ERRORS, 'confirmation_mismatch'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      database_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
      confirm: 'shop_main',
    },
  },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const known = await listDatabases(tx, found.id);
    const database = known.find(({ id }) => id === input.database_uuid);
    if (database === undefined) throw ctx.refusal('not_found');
    if (input.confirm !== database.name) throw ctx.refusal('confirmation_mismatch');
    await unwantDatabase(tx, database.id, ctx.uow.now);
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      name: database.name,
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
