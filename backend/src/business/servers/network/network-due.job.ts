import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { uplinkJob } from '../traffic/uplink.ts';
import { networkAccessJob } from './network-access.ts';

const AT_ONCE = 1000;

const due = statement<{ id: string; uplink_due: boolean; reach_due: boolean }>(
  'servers_whose_network_is_due',
  `SELECT v.id, v.uplink_due, v.reach_due FROM servers v JOIN services s ON s.id = v.id
   WHERE (v.uplink_due OR v.reach_due) AND v.removed_at IS NULL
     AND s.state NOT IN ('pending', 'provisioning', 'deleted', 'error')
   ORDER BY v.id LIMIT ${AT_ONCE}`,
);

/**
 * Goes on with throttling machines, with cutting off their addresses, and with taking either back, where their node was
 * away: a job is tried more and more rarely, and not for ever.
 */
export default maintenanceJob({
  name: 'server.network_due',
  schedule: '*/5 * * * *',
  async run(pool) {
    const servers = await pool.run(due, []);
    if (servers.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        servers.flatMap(({ id, uplink_due, reach_due }) => [
          ...(uplink_due ? [uplinkJob(id)] : []),
          ...(reach_due ? [networkAccessJob(id)] : []),
        ]),
      ),
    );
  },
});
