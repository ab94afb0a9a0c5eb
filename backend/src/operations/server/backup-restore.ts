import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { BACKUP_RESTORE, findBackup } from '../../business/servers/copies/backup.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree, mustRunItsOwn } from './change.schema.ts';
import { restoreConfirmation } from './copy.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/backup-restore',
  summary: "Put a server's disk back to a backup",
  description:
    'Cuts the power, puts the disk back, and starts the server again if it was to run. What was written since is lost, ' +
    'and the snapshots with it. System, host name and login are then those of the backup, also where the server was ' +
    'reinstalled since; a backup that was made before Hostkeep kept them, and before a reinstallation, leaves those that ' +
    'were installed last. Refused while the server is protected against reinstallation.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, backup_uuid: uuid, confirm: restoreConfirmation }),
  output: z.object({ uuid, backup_uuid: uuid, data_loss: z.literal(true), task }),
  message: { en: 'The backup is being restored.', de: 'Die Sicherung wird zurückgespielt.' },
  errors: [...CHANGE_ERRORS, 'confirmation_mismatch', 'resource_protected'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      backup_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
      confirm: 'web.example.com',
    },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    mustRunItsOwn(ctx, found);
    const backup = await findBackup(tx, found.id, input.backup_uuid);
    if (backup?.state !== 'available') throw ctx.refusal('not_found');
    if (input.confirm !== found.hostname) throw ctx.refusal('confirmation_mismatch');
    // It protects what is on the disk, whatever would take its place.
    if (found.protect_reinstall) throw ctx.refusal('resource_protected');
    const wanted = { backup_id: backup.id };
    const task = beginChange(ctx.uow, ctx.sealer, found, { type: BACKUP_RESTORE, wanted });
    return { uuid: found.id, backup_uuid: backup.id, data_loss: true as const, task };
  },
});
