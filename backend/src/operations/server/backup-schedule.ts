import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { setSchedule } from '../../business/servers/copies/backup-schedule.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { mustBeOn } from './change.schema.ts';
import { backupSchedule } from './copy.schema.ts';

const wanted = z.strictObject({
  hour: z.int().min(0).max(23).describe('UTC. The server is backed up at a minute of its own within it.'),
  weekday: z.int().min(1).max(7).nullable().default(null).describe('1 is Monday; null: every day'),
  keep: z
    .int()
    .min(1)
    .max(1000)
    .describe('How many of these backups are kept: at most as many as there are slots.'),
});

export default operation({
  method: 'POST',
  path: 'server/backup-schedule',
  summary: 'Have a server backed up by itself',
  description:
    'Each backup takes the place of the oldest one by schedule once there are `keep`; backups that you made yourself keep ' +
    'their slots. A time at which the server is switched off, or nothing is left for it, is left out. null ends it.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, schedule: wanted.nullable() }),
  output: z.object({ uuid, schedule: backupSchedule.nullable() }),
  message: { en: 'The schedule was set.', de: 'Der Zeitplan wurde gesetzt.' },
  errors: ['not_found', 'state_conflict', 'limit_reached'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', schedule: { hour: 3, keep: 7 } } },
  resource: server,
  async handle(tx, ctx, { schedule }, found) {
    mustBeOn(ctx, found);
    const limit = found.backup_slots;
    if (schedule !== null && schedule.keep > limit)
      throw ctx.refusal('limit_reached', { members: { limit, limited: 'backups' } });
    const dueAt = await setSchedule(tx, found.id, schedule, ctx.uow.now);
    const set = schedule === null || dueAt === null ? null : { ...schedule, next_at: wireTime(dueAt) };
    return { uuid: found.id, schedule: set };
  },
});
