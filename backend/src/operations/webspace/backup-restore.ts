import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { wireTime } from '../../base/time.ts';
import { findBackup } from '../../business/webspaces/backups/backups.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { addTask, push, RESTORE, restoreJob } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeOn } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/backup-restore',
  summary: 'Put back what a backup holds',
  description: 'Files and databases are then as they were; what was written since is lost. Back up first.',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({
    uuid,
    backup_uuid: uuid,
    confirm: z.string().max(100).describe('The user name of the webspace.'),
  }),
  output: z.object({ uuid, backup_uuid: uuid, created_at: timestamp, data_loss: z.literal(true), task }),
  message: { en: 'The backup is being restored.', de: 'Die Sicherung wird zurückgespielt.' },
  errors: [...CHANGE_ERRORS, 'confirmation_mismatch', 'conflict'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      backup_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
      confirm: 'shop',
    },
  },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const backup = await findBackup(tx, found.id, input.backup_uuid);
    if (backup === null) throw ctx.refusal('not_found');
    if (input.confirm !== found.username) throw ctx.refusal('confirmation_mismatch');
    if (backup.state !== 'available') throw ctx.refusal('conflict');
    const begun = addTask(ctx.uow, found, RESTORE);
    // The task is there once the changes are sent: what refers to it comes after.
    await ctx.uow.changes.send(tx);
    await tx.kysely
      .insertInto('webspace_restores')
      .values({
        task_id: begun.uuid,
        webspace_id: found.id,
        backup_id: backup.id,
        created_at: ctx.uow.now,
      })
      .execute();
    push(ctx.uow, restoreJob(begun.uuid));
    return {
      uuid: found.id,
      backup_uuid: backup.id,
      created_at: wireTime(backup.created_at),
      data_loss: true as const,
      task: begun,
    };
  },
});
