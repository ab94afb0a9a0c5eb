import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { convergenceJob } from './convergence.ts';

const AT_ONCE = 1000;

const unremoved = statement<{ id: string }>(
  'unremoved_servers',
  `SELECT v.id FROM servers v JOIN services s ON s.id = v.id
   WHERE v.removed_at IS NULL AND s.state = 'deleted' ORDER BY v.id LIMIT ${AT_ONCE}`,
);

/**
 * Goes on with the removal of deleted servers whose hypervisor refused, or was away for longer than a job is tried
 * for: as long as the machine is there, so are its disks, and its place is not free.
 */
export default maintenanceJob({
  name: 'server.remove_deleted',
  schedule: '37 * * * *',
  async run(pool) {
    const servers = await pool.run(unremoved, []);
    if (servers.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        servers.map(({ id }) => convergenceJob(id)),
      ),
    );
  },
});
