import { z } from 'zod';
import { restoreJob } from './restore-job.ts';
import { SNAPSHOT_RESTORE } from './snapshot.ts';

/** Puts a server's disk back to what a snapshot holds. */
export default restoreJob({
  name: SNAPSHOT_RESTORE,
  wanted: z.object({ snapshot_id: z.uuid() }),
  restore: (hypervisor, machine, { snapshot_id }, restoreId) =>
    hypervisor.ensureSnapshotRestored(machine, snapshot_id, restoreId),
});
