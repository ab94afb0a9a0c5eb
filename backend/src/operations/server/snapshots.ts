import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { listSnapshots, MOST_SNAPSHOTS } from '../../business/servers/copies/snapshot.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { snapshot, wireSnapshot } from './copy.schema.ts';

export default operation({
  method: 'GET',
  path: 'server/snapshots',
  summary: 'The snapshots of a server',
  description: 'The newest first. A reinstallation and the restoration of a backup leave none.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, snapshots: z.array(snapshot), limit: z.int() }),
  message: { en: 'These are the snapshots.', de: 'Das sind die Schnappschüsse.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async read(ctx, _input, found) {
    const snapshots = await listSnapshots(ctx.db, found.id);
    return { uuid: found.id, snapshots: snapshots.map(wireSnapshot), limit: MOST_SNAPSHOTS };
  },
});
