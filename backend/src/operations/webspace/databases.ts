import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { listDatabases } from '../../business/webspaces/databases.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';
import { wireLimits } from './webspace.schema.ts';

export default operation({
  method: 'GET',
  path: 'webspace/databases',
  summary: 'The databases of a webspace',
  description:
    'Each has one user, of the same name. `host` and `port` are how programs of the webspace reach it.',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    databases: z.array(
      z.object({
        uuid,
        name: z.string(),
        username: z.string(),
        state: z.enum(['pending', 'active']),
        created_at: timestamp,
      }),
    ),
    host: z.string(),
    port: z.int(),
    limit: z.int().nullable(),
  }),
  message: { en: 'These are the databases.', de: 'Das sind die Datenbanken.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async read(ctx, _input, found) {
    const host = ctx.catalog.webHosts.get(found.host);
    return {
      uuid: found.id,
      databases: (await listDatabases(ctx.db, found.id)).map((database) => ({
        uuid: database.id,
        name: database.name,
        username: database.name,
        state: database.pending ? ('pending' as const) : ('active' as const),
        created_at: wireTime(database.created_at),
      })),
      host: host?.database.host ?? '',
      port: host?.database.port ?? 3306,
      limit: wireLimits(ctx.catalog, found).databases,
    };
  },
});
