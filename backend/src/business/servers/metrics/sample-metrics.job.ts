import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { settleExceeded } from '../traffic/exceeded.ts';
import { ingestHost } from './ingest.ts';
import { prepareMetrics } from './partitions.ts';

const DEADLINE_MS = 20_000;

const sampled = statement<{ host: string }>(
  'hosts_to_sample',
  `SELECT DISTINCT v.host FROM servers v JOIN services s ON s.id = v.id
   WHERE v.removed_at IS NULL AND s.state <> 'error' ORDER BY v.host`,
);

/**
 * Asks every host, all at once and each in one call, what its servers use, and writes what one told as soon as it did: a
 * host that does not answer keeps nobody waiting, and its servers have a gap. Also in safe mode, since nothing is
 * commanded; what a throttle asks of a machine is a command's job.
 */
export default maintenanceJob({
  name: 'server.sample_metrics',
  schedule: '* * * * *',
  async run(pool, { now, log, catalogs }, { hypervisor }) {
    const hosts = await pool.run(sampled, []);
    if (hosts.length === 0) return;
    await prepareMetrics(pool, now);
    const catalog = await catalogs.newest(pool);
    await Promise.all(
      hosts.map(async ({ host }) => {
        try {
          const { machines, unreachableNodes } = await hypervisor.metrics(host, DEADLINE_MS);
          if (unreachableNodes.length > 0)
            log.warn({ host, nodes: unreachableNodes }, 'nodes of a host do not tell what their servers use');
          const exceeding = await ingestHost(pool, catalog, { host, now, machines });
          await settleExceeded(pool, catalog, exceeding, now);
        } catch (error) {
          const away = error instanceof BackendUnavailable;
          log[away ? 'warn' : 'error']({ host, err: error }, 'what the servers of a host use is not known');
        }
      }),
    );
  },
});
