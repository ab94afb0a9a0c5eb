import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import type { CommandPorts } from '../../drivers/ports.ts';
import type { FoundSite } from '../../drivers/webserver/port.ts';
import { type JobContext, maintenanceJob } from '../../work/job.ts';
import { enqueue } from '../../work/queue.ts';
import { isSafeMode } from '../../work/safe-mode.ts';
import { type Discrepancy, recordDiscrepancies } from '../core/backends/discrepancy.ts';
import { NoCatalog } from '../core/catalog/versions.ts';
import { type Compared, compare, DIFFERENCE_KINDS, isDelivered, type RecordedWebspace } from './compare.ts';
import { CONVERGE, convergenceJob } from './webspace-jobs.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const hostsInUse = statement<{ host: string }>(
  'web_hosts_in_use',
  'SELECT DISTINCT host FROM webspaces WHERE removed_at IS NULL',
);

// Work is under way also while a job waits that makes the site follow the books, and until a deleted one is gone.
const bookedWebspaces = statement<RecordedWebspace>(
  'booked_webspaces',
  `SELECT w.id, w.host, s.state, w.removed_at IS NOT NULL AS gone,
     EXISTS (SELECT FROM tasks t WHERE t.resource_id = s.id AND t.finished_at IS NULL)
       OR s.state IN ('deleted', 'error') AND w.removed_at IS NULL
       OR EXISTS (SELECT FROM graphile_worker.jobs j
                  WHERE j.key = '${CONVERGE}:' || s.id AND j.attempts < j.max_attempts) AS busy
   FROM webspaces w JOIN services s ON s.id = w.id
   WHERE (w.host = $1 AND w.removed_at IS NULL) OR w.id = ANY($2::uuid[])`,
);

/**
 * Compares the books with every web host (rule C3). Sites whose programs do not run although they should, as after a
 * restart of their host, are enforced again; all else is reported for an operator. Nothing is made or removed. A host
 * out of reach is unknown.
 */
export default maintenanceJob({
  name: 'webspace.reconcile',
  schedule: '5,15,25,35,45,55 * * * *',
  async run(pool, ctx, ports) {
    const found: Discrepancy[] = [];
    const stopped: string[] = [];
    const reached: string[] = [];
    for (const host of await hostsOf(pool, ctx)) {
      const compared = await compareHost(pool, ctx, ports, host);
      if (compared === null) continue;
      reached.push(host);
      stopped.push(...compared.stopped);
      for (const { kind, webspaceId, booked, found: seen } of compared.differences) {
        found.push({ backend: host, kind, subject: webspaceId, detail: { booked, found: seen } });
      }
    }
    if (stopped.length > 0) ctx.log.warn({ webspaces: stopped.length }, 'sites that should run do not');
    const enforced = (await isSafeMode(pool)) ? [] : stopped;
    await transaction(pool, async (tx) => {
      await enqueue(tx, enforced.map(convergenceJob), 'maintenance');
      const reach = { backends: reached, kinds: [...DIFFERENCE_KINDS], unreachableNodes: [] };
      await recordDiscrepancies(tx, found, reach, ctx.now);
    });
  },
});

/** Those that the catalogue has, and those that it no longer has but webspaces are on. */
async function hostsOf(db: Executor, ctx: JobContext): Promise<string[]> {
  const catalog = await ctx.catalogs.newest(db).catch((error) => {
    if (error instanceof NoCatalog) return null;
    throw error;
  });
  const used = await db.run(hostsInUse, []);
  return [...new Set([...(catalog?.webHosts.keys() ?? []), ...used.map((row) => row.host)])].sort();
}

/** null: the host did not answer, so nothing is known about it. */
async function compareHost(
  db: Executor,
  ctx: JobContext,
  ports: CommandPorts,
  host: string,
): Promise<Compared | null> {
  const before = await db.run(bookedWebspaces, [host, []]);
  let sites: readonly FoundSite[];
  try {
    sites = await ports.webserver.list(host);
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    ctx.log.warn({ err: error, host }, 'a web host is out of reach: nothing is known about its sites');
    return null;
  }
  const foundIds = sites.map((site) => site.webspaceId).filter((id) => UUID.test(id));
  const webspaces = await db.run(bookedWebspaces, [host, foundIds]);
  const delivered = new Set(before.filter(isDelivered).map((webspace) => webspace.id));
  return compare(host, webspaces, delivered, sites);
}
