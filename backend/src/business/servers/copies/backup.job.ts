import { z } from 'zod';
import { changeJob } from '../changes/change-job.ts';
import { BACKUP, backupDeleting, backupTaken, outdateBackups } from './backup.ts';
import { findSchedule } from './backup-schedule.ts';
import { copyRemovalJob } from './copy-removal.ts';

/** Backs a server up; then the oldest scheduled backups go that are more than its schedule keeps. */
export default changeJob({
  name: BACKUP,
  wanted: z.object({ backup_id: z.uuid() }),
  command: (ports, { machine, wanted }) => ports.hypervisor.ensureBackup(machine, wanted.backup_id),
  async done(tx, { uow }, { server, wanted }, { sizeBytes }) {
    await backupTaken(tx, wanted.backup_id, sizeBytes, uow.now);
    const slots = server.backup_slots;
    const keep = (await findSchedule(tx, server.id))?.keep ?? slots;
    for (const id of await outdateBackups(tx, server.id, { keep, slots }))
      uow.jobs.push(copyRemovalJob('backup', id));
  },
  // Refused now, it may have been made by a run before this one whose outcome nobody heard.
  async refused(tx, { uow }, { wanted }) {
    await backupDeleting(tx, wanted.backup_id);
    uow.jobs.push(copyRemovalJob('backup', wanted.backup_id));
    return undefined;
  },
});
