import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { Inventory, PowerState } from '../../../drivers/hypervisor/port.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { type Discrepancy, recordDiscrepancies } from '../../core/backends/discrepancy.ts';
import { NoCatalog } from '../../core/catalog/versions.ts';
import { recordPoweredOff } from '../changes/powered-off.ts';
import {
  compare,
  DIFFERENCE_KINDS,
  type Difference,
  isDelivered,
  mostDifferences,
  type RecordedServer,
} from './compare.ts';
import { CONVERGE, convergenceJob } from './convergence.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOO_MANY = 'too_many_differences';
const BACKEND = 'hypervisor';

const hostsInUse = statement<{ host: string }>(
  'hosts_in_use',
  `SELECT DISTINCT v.host FROM servers v JOIN services s ON s.id = v.id
   WHERE v.removed_at IS NULL AND s.state <> 'error'`,
);

// Those that have a machine on the host, and whatever became of those that were found there. Work is under way also
// while a job waits that makes the machine follow the books, and until a deleted server's machine is gone.
const bookedServers = statement<RecordedServer>(
  'booked_servers',
  `SELECT v.id, v.host, v.node, v.generation, v.cores, v.memory, v.disk, v.wanted_power, v.power_state, s.state,
     v.removed_at IS NOT NULL OR s.state = 'error' AS gone,
     EXISTS (SELECT FROM tasks t WHERE t.resource_id = s.id AND t.finished_at IS NULL)
       OR s.state = 'deleted' AND v.removed_at IS NULL
       OR EXISTS (SELECT FROM graphile_worker.jobs j
                  WHERE j.key = '${CONVERGE}:' || s.id AND j.attempts < j.max_attempts) AS busy
   FROM servers v JOIN services s ON s.id = v.id
   WHERE (v.host = $1 AND v.removed_at IS NULL AND s.state <> 'error') OR v.id = ANY($2::uuid[])`,
);

const seenPower = statement<object>(
  'seen_power',
  `UPDATE servers v SET power_state = n.power FROM unnest($1::uuid[], $2::text[]) n(id, power)
   WHERE v.id = n.id AND v.power_state <> n.power`,
);

const switchedOff = statement<{ id: string }>(
  'switched_off_servers',
  `SELECT v.id FROM servers v JOIN services s ON s.id = v.id
   WHERE v.id = ANY($1::uuid[]) AND (s.state NOT IN ('active', 'cancel_scheduled') OR v.wanted_power <> 'running')`,
);

interface Comparison {
  readonly host: string;
  /** null: the host did not answer, so nothing is known about it. */
  readonly inventory: Inventory | null;
  readonly servers: readonly RecordedServer[];
  readonly differences: readonly Difference[];
}

/**
 * Compares the books with every hypervisor (rule C3). Machines that should run and do not are started, but for those that
 * their own system switched off: the books follow them. All else is reported for an operator, because it could lose
 * something. Nothing is deleted, made or moved. A host or node out of reach is unknown. More than ten differences, or than
 * one in a hundred servers, set nothing right: then the books are more likely wrong than the machines.
 */
export default maintenanceJob({
  name: 'server.reconcile',
  schedule: '*/10 * * * *',
  async run(pool, ctx, ports) {
    const comparisons: Comparison[] = [];
    for (const host of await hostsOf(pool, ctx)) comparisons.push(await compareHost(pool, ctx, ports, host));
    const isSafe = await isSafeMode(pool);
    const all = comparisons.flatMap((comparison) => comparison.differences);
    const poweredOff = isSafe ? [] : all.filter((difference) => difference.poweredOff);
    const differences = all.filter((difference) => !poweredOff.includes(difference));
    const servers = comparisons.reduce((sum, { servers }) => sum + servers.length, 0);
    const tooMany = differences.length > mostDifferences(servers);
    const allowed = !tooMany && !isSafe;
    const started = allowed ? await startStopped(ctx, ports, differences) : new Set<Difference>();
    const found = differences.filter((difference) => !started.has(difference)).map(discrepancyOf);
    if (tooMany) {
      ctx.log.error(
        { differences: differences.length, servers },
        'too many differences: nothing is set right',
      );
      const detail = { differences: differences.length, servers };
      found.push({ backend: BACKEND, kind: TOO_MANY, subject: 'server.reconcile', detail });
    }
    await transaction(pool, (tx) => record(tx, ctx, comparisons, found, started));
    await recordPoweredOff(
      pool,
      ctx.now,
      poweredOff.map(({ serverId }) => serverId),
    );
  },
});

/** Those that the catalogue has, and those that it no longer has but servers are on. */
async function hostsOf(db: Executor, ctx: JobContext): Promise<string[]> {
  const catalog = await ctx.catalogs.newest(db).catch((error) => {
    if (error instanceof NoCatalog) return null;
    throw error;
  });
  const used = await db.run(hostsInUse, []);
  return [...new Set([...(catalog?.hosts.keys() ?? []), ...used.map((row) => row.host)])].sort();
}

async function compareHost(
  db: Executor,
  ctx: JobContext,
  ports: CommandPorts,
  host: string,
): Promise<Comparison> {
  const before = await db.run(bookedServers, [host, []]);
  let inventory: Inventory;
  try {
    inventory = await ports.hypervisor.list(host);
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    ctx.log.warn({ err: error, host }, 'a host is out of reach: nothing is known about its machines');
    return { host, inventory: null, servers: before, differences: [] };
  }
  const found = inventory.machines.map((machine) => machine.serverId).filter((id) => UUID.test(id));
  const servers = await db.run(bookedServers, [host, found]);
  const delivered = new Set(before.filter(isDelivered).map((server) => server.id));
  // What was under way before may have ended since, and have started what was seen to be off.
  const busy = new Set(before.filter((server) => server.busy).map((server) => server.id));
  const differences = compare(host, servers, delivered, inventory);
  return {
    host,
    inventory,
    servers,
    differences: differences.filter(({ poweredOff, serverId }) => !(poweredOff && busy.has(serverId))),
  };
}

/** Starts what should run. Which of them it started; the others stay differences. */
async function startStopped(
  ctx: JobContext,
  ports: CommandPorts,
  differences: readonly Difference[],
): Promise<Set<Difference>> {
  const started = new Set<Difference>();
  for (const difference of differences.filter((found) => found.repairable)) {
    const { serverId, host, node } = difference;
    try {
      const outcome = await ports.hypervisor.ensurePower({ serverId, host, node }, 'running');
      if (outcome.kind === 'refused') continue;
      started.add(difference);
      ctx.log.info({ server: serverId }, 'a machine that should run was started');
    } catch (error) {
      ctx.log.warn({ err: error, server: serverId }, 'a machine that should run could not be started');
    }
  }
  return started;
}

function discrepancyOf(difference: Difference): Discrepancy {
  const { kind, serverId, host, node, booked, found } = difference;
  return { backend: host, kind, subject: serverId, detail: { node, booked, found } };
}

async function record(
  tx: Transaction,
  ctx: JobContext,
  comparisons: readonly Comparison[],
  found: readonly Discrepancy[],
  started: ReadonlySet<Difference>,
): Promise<void> {
  const startedIds = new Set([...started].map((difference) => difference.serverId));
  const power = comparisons.flatMap((comparison) => seen(comparison, startedIds));
  await tx.run(seenPower, [power.map(([id]) => id), power.map(([, state]) => state)]);
  // Switched off while its machine was being started: the job that stops it may have come before the start.
  const off = await tx.run(switchedOff, [[...startedIds]]);
  await enqueue(
    tx,
    off.map(({ id }) => convergenceJob(id)),
  );
  const reached = comparisons.filter((comparison) => comparison.inventory !== null);
  await recordDiscrepancies(
    tx,
    found,
    {
      backends: [...reached.map((comparison) => comparison.host), BACKEND],
      kinds: [...DIFFERENCE_KINDS, TOO_MANY],
      unreachableNodes: comparisons.flatMap(({ inventory }) => inventory?.unreachableNodes ?? []),
    },
    ctx.now,
  );
}

/** The power state of every delivered server of a host, as it was last seen. */
function seen(
  { host, inventory, servers }: Comparison,
  started: ReadonlySet<string>,
): [string, PowerState][] {
  const found = new Map(inventory?.machines.map((machine) => [machine.serverId, machine.power]));
  return servers
    .filter((server) => server.host === host && !server.gone && !server.busy && isDelivered(server))
    .map((server) => [server.id, started.has(server.id) ? 'running' : (found.get(server.id) ?? 'unknown')]);
}
