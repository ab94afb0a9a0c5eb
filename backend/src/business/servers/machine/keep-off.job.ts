import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { convergenceJob } from './convergence.ts';

const AT_ONCE = 1000;

const running = statement<{ id: string }>(
  'running_servers_that_are_off',
  `SELECT v.id FROM servers v JOIN services s ON s.id = v.id
   WHERE v.removed_at IS NULL AND v.power_state IN ('running', 'paused')
     AND s.state IN ('suspended', 'expired', 'cancelled')
   ORDER BY v.id LIMIT ${AT_ONCE}`,
);

/**
 * Goes on with switching servers off whose node was away: its machines start with it, as they were last told to, and a job
 * is tried more and more rarely, and not for ever.
 */
export default maintenanceJob({
  name: 'server.keep_off',
  schedule: '*/5 * * * *',
  async run(pool) {
    const servers = await pool.run(running, []);
    if (servers.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        servers.map(({ id }) => convergenceJob(id)),
      ),
    );
  },
});
