import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { listBackups } from '../../business/webspaces/backups/backups.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';
import { wireLimits } from './webspace.schema.ts';

export default operation({
  method: 'GET',
  path: 'webspace/backups',
  summary: 'The backups of a webspace',
  description: 'The newest first. One is made each day; the oldest go when there are more than `limit`.',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    backups: z.array(
      z.object({
        uuid,
        kind: z.enum(['manual', 'scheduled']),
        state: z.enum(['pending', 'available', 'failed']),
        size: z.int().describe('Bytes'),
        created_at: timestamp,
        finished_at: timestamp.nullable(),
      }),
    ),
    limit: z.int(),
  }),
  message: { en: 'These are the backups.', de: 'Das sind die Sicherungen.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async read(ctx, _input, found) {
    return {
      uuid: found.id,
      backups: (await listBackups(ctx.db, found.id)).map((backup) => ({
        uuid: backup.id,
        kind: backup.kind,
        state: backup.state,
        size: Number(backup.size_bytes),
        created_at: wireTime(backup.created_at),
        finished_at: wireTimeOrNull(backup.finished_at),
      })),
      limit: wireLimits(ctx.catalog, found).backups,
    };
  },
});
