import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { backupDeleting, findBackup } from '../../business/servers/copies/backup.ts';
import { copyRemovalJob } from '../../business/servers/copies/copy-removal.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/backup-delete',
  summary: 'Delete a backup of a server',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, backup_uuid: uuid }),
  output: z.object({ uuid, backup_uuid: uuid, state: z.literal('deleting') }),
  message: { en: 'The backup is being deleted.', de: 'Die Sicherung wird gelöscht.' },
  errors: CHANGE_ERRORS,
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      backup_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
    },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    // What is being taken, or put back, is not taken away.
    await mustBeFree(ctx, tx, found);
    const backup = await findBackup(tx, found.id, input.backup_uuid);
    if (backup === null) throw ctx.refusal('not_found');
    await backupDeleting(tx, backup.id);
    ctx.uow.jobs.push(copyRemovalJob('backup', backup.id));
    return { uuid: found.id, backup_uuid: backup.id, state: 'deleting' as const };
  },
});
