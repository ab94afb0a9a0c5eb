import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { emit, inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { limitTraffic } from './traffic.ts';
import { keepUsage } from './usage.ts';

const hosts = statement<{ host: string }>(
  'hosts_with_webspaces',
  'SELECT DISTINCT host FROM webspaces WHERE removed_at IS NULL ORDER BY host',
);
const sizes = statement<{ id: string; disk: number; disk_used: number }>(
  'webspace_disk_sizes',
  'SELECT id, disk, disk_used FROM webspaces WHERE id = ANY($1::uuid[])',
);

/** Asks every host what its webspaces use, keeps it by the day, tells whose disk is nearly full, and limits traffic. */
export default maintenanceJob({
  name: 'webspace.usage',
  schedule: '7 * * * *',
  async run(pool, ctx, ports) {
    for (const { host } of await pool.run(hosts, [])) {
      const usages = await ports.webserver.usage(host).catch((error: unknown) => {
        if (!(error instanceof BackendUnavailable)) throw error;
        ctx.log.warn({ host, err: error }, 'a web host did not say what its webspaces use');
        return null;
      });
      if (usages === null) continue;
      const full = await keepUsage(pool, usages, ctx.now);
      if (full.length === 0) continue;
      const known = await pool.run(sizes, [full.map(({ id }) => id)]);
      const accounts = [...new Set(full.map((one) => one.account_id))];
      await inUnitOfWork(pool, ctx.now, accounts, async (_tx, uow) => {
        for (const { id, account_id } of full) {
          const size = known.find((one) => one.id === id);
          emit(uow, lockedAccount(uow, account_id), {
            type: 'webspace.quota_warning',
            resource: { type: 'webspace', id },
            body: { disk_used: size?.disk_used ?? 0, disk_total: size?.disk ?? 0 },
          });
        }
      });
    }
    await limitTraffic(pool, ctx.catalogs.current(), ctx.now);
  },
});
