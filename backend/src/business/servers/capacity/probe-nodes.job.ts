import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { hurryJobs } from '../../core/backends/failing-backend.ts';
import { hypervisorOf } from '../machine/convergence.ts';

/** A node that could run machines is tried again so much later. */
const HEALTHY_FOR = { hours: 24 };

const due = statement<{ host: string; node: string; problem: string | null }>(
  'nodes_to_probe',
  `SELECT host, name AS node, problem FROM nodes
   WHERE active AND (probed_at IS NULL OR problem IS NOT NULL OR probed_at <= $1) ORDER BY host, name`,
);
const write = statement<object>(
  'node_probed',
  'UPDATE nodes SET problem = $3, probed_at = $4 WHERE host = $1 AND name = $2',
);

/**
 * Tries nodes that are new, that could not run machines, and daily the others. One that cannot is passed over by orders and
 * shown to operators; what waited for one that can again is tried at once.
 */
export default maintenanceJob({
  name: 'server.probe_nodes',
  schedule: '* * * * *',
  async run(pool, { now, log }, { hypervisor }) {
    if (await isSafeMode(pool)) return;
    await Promise.all(
      (await pool.run(due, [now.subtract(HEALTHY_FOR)])).map(async ({ host, node, problem: before }) => {
        const problem = await hypervisor.probe({ host, node }).catch((error: unknown) => {
          if (error instanceof BackendUnavailable) return error.message;
          throw error;
        });
        await pool.run(write, [host, node, problem, now]);
        if (problem !== null && problem !== before)
          log.error({ host, node, problem }, 'a node cannot run machines');
        if (problem === null && before !== null) {
          const jobs = await hurryJobs(pool, hypervisorOf({ host, node }));
          log.info({ host, node, jobs }, 'a node can run machines again');
        }
      }),
    );
  },
});
