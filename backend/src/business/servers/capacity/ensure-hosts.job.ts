import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';

const inUse = statement<{ host: string }>(
  'hosts_to_keep',
  `SELECT DISTINCT v.host FROM servers v JOIN services s ON s.id = v.id
   WHERE v.removed_at IS NULL AND s.state <> 'error' ORDER BY v.host`,
);

/**
 * Has hypervisors look after their hosts: after a restart of a host its machines run again within a minute, and seeds are
 * removed once they were read (rule G3). Not in safe mode, like every other command.
 */
export default maintenanceJob({
  name: 'server.ensure_hosts',
  schedule: '* * * * *',
  async run(pool, { log }, { hypervisor }) {
    if (await isSafeMode(pool)) return;
    const hosts = await pool.run(inUse, []);
    await Promise.all(
      hosts.map(async ({ host }) => {
        try {
          const { unreachableNodes } = await hypervisor.ensureHost(host);
          if (unreachableNodes.length > 0)
            log.warn({ host, nodes: unreachableNodes }, 'nodes of a host do not answer');
        } catch (error) {
          if (!(error instanceof BackendUnavailable)) throw error;
          log.warn({ host, err: error }, 'a host does not answer');
        }
      }),
    );
  },
});
