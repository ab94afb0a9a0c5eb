import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { REINSTALL } from '../changes/reinstall.ts';
import { BACKUP_RESTORE } from './backup.ts';
import { restoreJob } from './restore-job.ts';
import { snapshotsRemoved } from './snapshot.ts';

// The initial password that is kept is the last installation's, which a disk from before does not know.
const forgetPassword = statement<object>(
  'forget_password_of_later_installation',
  `UPDATE servers v SET password_sealed = NULL FROM server_backups b
   WHERE v.id = $1 AND b.id = $2 AND EXISTS (SELECT FROM tasks t WHERE t.resource_id = v.id
     AND t.type = '${REINSTALL}' AND t.state = 'succeeded' AND t.finished_at > b.created_at)`,
);

// A backup from before this was kept does not know it.
const bringBack = statement<{ id: string }>(
  'bring_back_installation_of_backup',
  `UPDATE servers v SET os = b.os, hostname = b.hostname, username = b.username FROM server_backups b
   WHERE v.id = $1 AND b.id = $2 AND b.os IS NOT NULL
     AND (v.os, v.hostname, v.username) IS DISTINCT FROM (b.os, b.hostname, b.username)
   RETURNING v.id`,
);

/** Puts back a server's disk from a backup, with what is installed there. The snapshots were inside the disk that is gone. */
export default restoreJob({
  name: BACKUP_RESTORE,
  wanted: z.object({ backup_id: z.uuid() }),
  restore: (hypervisor, machine, { backup_id }, restoreId) =>
    hypervisor.ensureBackupRestored(machine, backup_id, restoreId),
  async restored(tx, uow, { id }, { backup_id }) {
    await snapshotsRemoved(tx, id);
    await tx.run(forgetPassword, [id, backup_id]);
    const changed = await tx.run(bringBack, [id, backup_id]);
    if (changed.length > 0) bumpVersion(uow, id);
  },
});
