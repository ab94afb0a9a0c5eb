import { splitDomain } from '../../../base/domain-suffix.ts';
import type { Pool } from '../../../db/pool.ts';
import { transaction } from '../../../db/transaction.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { type Discrepancy, recordDiscrepancies } from '../../core/backends/discrepancy.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { compareDomain, DIFFERENCE_KINDS, type RecordedDomain } from './compare.ts';
import { namesDue, recordedDomains, registriesInUse } from './reconcilable.ts';

/** Runs in a day, in which every name is asked for once. */
const PER_DAY = 144;
const EVERY_MS = 10 * 60 * 1000;

/** So many questions in a row without an answer, and the registry is out of reach. */
const SILENT = 3;

type Told = ReadonlyMap<string, RegisteredDomain | null>;

/**
 * Compares the books with every registry (rule C3). Registries list nothing, so each name is asked for, once a day: those
 * of our domains, those that were ours not long ago, and those that the registry told us of. Whatever differs is reported
 * for an operator, and nothing is set right: what is wrong, the books or the registry, nobody here can know. A registry
 * out of reach is unknown.
 */
export default maintenanceJob({
  name: 'domain.reconcile',
  schedule: '3,13,23,33,43,53 * * * *',
  async run(pool, ctx, ports) {
    const turn = Math.floor(ctx.now.epochMilliseconds / EVERY_MS);
    const registries = await registriesInUse(pool);
    if (registries.length === 0) return;
    const catalog = await ctx.catalogs.newest(pool);
    await Promise.all(
      registries.map(async (registry) => {
        const names = await namesDue(pool, registry, { turn, perRound: PER_DAY }, ctx.now);
        if (names.length > 0) await reconcile(pool, ctx, ports, catalog, registry.registry, names);
      }),
    );
  },
});

async function reconcile(
  pool: Pool,
  ctx: JobContext,
  ports: CommandPorts,
  catalog: CatalogVersion,
  registry: string,
  names: readonly string[],
): Promise<void> {
  const before = await recordedDomains(pool, names, ctx.now);
  const told = await askAll(ctx, ports, catalog, registry, names);
  // Asked for once more: what was changed since then is no surprise.
  const after = await recordedDomains(pool, [...told.keys()], ctx.now);
  const settled = [...told].filter(([name]) => isSettled(registry, before.get(name), after.get(name)));
  const found = settled.flatMap(([name, answer]) => {
    const booked = after.get(name) ?? null;
    const tld = catalog.tlds.get(booked?.tld ?? tldOf(catalog, name));
    return compareDomain(booked, answer, tld, ctx.now).map(
      (difference): Discrepancy => ({
        backend: registry,
        kind: difference.kind,
        subject: name,
        detail: { domain_id: booked?.id ?? null, booked: difference.booked, found: difference.found },
      }),
    );
  });
  if (found.length > 0)
    ctx.log.warn({ registry, differences: found.length }, 'a registry and the books differ');
  const subjects = settled.map(([name]) => name);
  const reach = { backends: [registry], kinds: [...DIFFERENCE_KINDS], subjects, unreachableNodes: [] };
  await transaction(pool, (tx) => recordDiscrepancies(tx, found, reach, ctx.now));
}

/** One after the other: customers' commands come first. Names without an answer are left out. */
async function askAll(
  ctx: JobContext,
  ports: CommandPorts,
  catalog: CatalogVersion,
  registry: string,
  names: readonly string[],
): Promise<Told> {
  const told = new Map<string, RegisteredDomain | null>();
  let silent = 0;
  for (const domain of names) {
    try {
      told.set(domain, await ports.registry.info({ domain, tld: tldOf(catalog, domain), registry }));
      silent = 0;
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
      ctx.log.warn({ err: error, registry, domain }, 'a registry does not say how a domain is');
      silent += 1;
      if (silent === SILENT) break;
    }
  }
  return told;
}

/** Whether nothing happened in the books while the registry was asked, and they have the name there, or nowhere. */
function isSettled(
  registry: string,
  before: RecordedDomain | undefined,
  after: RecordedDomain | undefined,
): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (after.registry !== registry || before.busy) return false;
  const stand = ({ id, version, registry_state, seen_at }: RecordedDomain) =>
    [id, version, registry_state, seen_at].join();
  return stand(before) === stand(after);
}

function tldOf({ tlds }: CatalogVersion, name: string): string {
  const split = splitDomain(name.split('.'), (suffix) => tlds.has(suffix));
  return split.kind === 'bare' ? name : split.tld;
}
