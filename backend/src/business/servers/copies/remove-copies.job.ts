import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { type CopyKind, copyRemovalJob } from './copy-removal.ts';

const AT_ONCE = 1000;

const unwanted = statement<{ kind: CopyKind; id: string }>(
  'unwanted_copies',
  `SELECT 'snapshot' AS kind, id FROM server_snapshots WHERE state = 'deleting'
   UNION ALL SELECT 'backup', id FROM server_backups WHERE state = 'deleting' LIMIT ${AT_ONCE}`,
);

/** Goes on with the removal of copies whose hypervisor refused, or was away for longer than a job is tried for. */
export default maintenanceJob({
  name: 'server.remove_copies',
  schedule: '47 * * * *',
  async run(pool) {
    const copies = await pool.run(unwanted, []);
    if (copies.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        copies.map(({ kind, id }) => copyRemovalJob(kind, id)),
      ),
    );
  },
});
