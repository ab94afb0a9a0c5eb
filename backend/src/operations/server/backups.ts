import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { listBackups } from '../../business/servers/copies/backup.ts';
import { findSchedule } from '../../business/servers/copies/backup-schedule.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { backup, backupSchedule, wireBackup } from './copy.schema.ts';

export default operation({
  method: 'GET',
  path: 'server/backups',
  summary: 'The backups of a server, and when it is backed up by itself',
  description:
    'The newest first. Backups are whole copies, away from the node; `limit` are the slots of the server.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    backups: z.array(backup),
    limit: z.int(),
    schedule: backupSchedule.nullable(),
  }),
  message: { en: 'These are the backups.', de: 'Das sind die Sicherungen.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async read(ctx, _input, found) {
    const [backups, schedule] = await Promise.all([
      listBackups(ctx.db, found.id),
      findSchedule(ctx.db, found.id),
    ]);
    return {
      uuid: found.id,
      backups: backups.map(wireBackup),
      limit: found.backup_slots,
      schedule:
        schedule === null
          ? null
          : {
              hour: schedule.hour,
              weekday: schedule.weekday,
              keep: schedule.keep,
              next_at: wireTime(schedule.due_at),
            },
    };
  },
});
