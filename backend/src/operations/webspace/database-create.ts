import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import { addDatabase, MOST_DATABASES } from '../../business/webspaces/databases.ts';
import { PASSWORD_PURPOSE, webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import {
  CHANGE_ERRORS,
  changed,
  databaseSuffix,
  mustBeOn,
  mustFit,
  password,
  wireLimits,
} from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/database-create',
  summary: 'Create a database',
  description: 'With a user of the same name, who can use no other.',
  audience: 'customer',
  scope: 'webspace:write',
  plantsAccess: true,
  input: z.strictObject({
    uuid,
    name: databaseSuffix,
    password: password.optional().describe('Omitted: one is made, and shown in the answer.'),
  }),
  output: z.object({
    ...changed,
    database_uuid: uuid,
    name: z.string(),
    username: z.string(),
    password: z.string().nullable().describe('Only when it was made here; shown once.'),
    host: z.string(),
    port: z.int(),
  }),
  message: { en: 'The database is being created.', de: 'Die Datenbank wird angelegt.' },
  errors: [...CHANGE_ERRORS, 'already_exists', 'limit_reached'],
  secrets: ['password'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', name: 'shop' } },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const limit = Math.min(wireLimits(ctx.catalog, found).databases ?? MOST_DATABASES, MOST_DATABASES);
    mustFit(ctx, 'databases', limit, found.databases);
    const id = randomUUIDv7();
    const name = `${found.username}_${input.name}`;
    const given = input.password ?? newPassword();
    const sealed = ctx.sealer.seal(PASSWORD_PURPOSE, given);
    const added = await addDatabase(tx, { id, webspaceId: found.id, name, sealed }, ctx.uow.now);
    if (!added) throw ctx.refusal('already_exists');
    bumpVersion(ctx.uow, found.id);
    const host = ctx.catalog.webHosts.get(found.host);
    return {
      uuid: found.id,
      database_uuid: id,
      name,
      username: name,
      password: input.password === undefined ? given : null,
      host: host?.database.host ?? '',
      port: host?.database.port ?? 3306,
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
