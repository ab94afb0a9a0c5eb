import { z } from 'zod';
import { changeJob } from '../changes/change-job.ts';
import { copyRemovalJob } from './copy-removal.ts';
import { SNAPSHOT, snapshotDeleting, snapshotTaken } from './snapshot.ts';

/** Takes a snapshot of a server's disk. */
export default changeJob({
  name: SNAPSHOT,
  wanted: z.object({ snapshot_id: z.uuid() }),
  command: (ports, { machine, wanted }) => ports.hypervisor.ensureSnapshot(machine, wanted.snapshot_id),
  done: (tx, _ctx, { wanted }, { takenAt }) => snapshotTaken(tx, wanted.snapshot_id, takenAt),
  // Refused now, it may have been taken by a run before this one whose outcome nobody heard.
  async refused(tx, { uow }, { wanted }) {
    await snapshotDeleting(tx, wanted.snapshot_id);
    uow.jobs.push(copyRemovalJob('snapshot', wanted.snapshot_id));
    return undefined;
  },
});
