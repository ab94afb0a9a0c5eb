import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { addressesOf, LOOKED_UP_EVERY } from './alias.ts';
import { PUBLISH, zoneJob } from './zone-jobs.ts';

interface DueAlias {
  readonly zone_id: string;
  readonly name: string;
  readonly target: string;
  readonly addresses: readonly string[];
}

const MOST_AT_A_TIME = 2_000;
const AT_ONCE = 50;

const due = statement<DueAlias>(
  'aliases_due',
  `SELECT a.zone_id, a.name, a.target, a.addresses FROM zone_aliases a JOIN zones z ON z.id = a.zone_id
   WHERE a.due_at <= $1 AND z.removed_at IS NULL ORDER BY a.due_at LIMIT ${MOST_AT_A_TIME}`,
);
const moved = statement<object>(
  'aliases_moved',
  `INSERT INTO zone_unpublished (zone_id, name, type, version)
   SELECT n.zone_id, n.name, 'ALIAS', z.version FROM unnest($1::uuid[], $2::text[]) n(zone_id, name)
   JOIN zones z ON z.id = n.zone_id
   ON CONFLICT (zone_id, name, type) DO UPDATE SET version = greatest(zone_unpublished.version, excluded.version)`,
);
const same = statement<object>(
  'aliases_same',
  `UPDATE zone_aliases a SET due_at = $3 FROM unnest($1::uuid[], $2::text[]) n(zone_id, name)
   WHERE a.zone_id = n.zone_id AND a.name = n.name`,
);

/** Looks ALIAS targets up again, and has the zones published whose targets moved. Who does not answer changes nothing. */
export default maintenanceJob({
  name: 'dns.aliases',
  schedule: '* * * * *',
  async run(pool, ctx, { resolver }) {
    const aliases = await pool.run(due, [ctx.now]);
    const changed: DueAlias[] = [];
    const settled: DueAlias[] = [];
    const targets = new Map<string, Promise<readonly string[] | null>>();
    for (let at = 0; at < aliases.length; at += AT_ONCE) {
      await Promise.all(
        aliases.slice(at, at + AT_ONCE).map(async (alias) => {
          const known = targets.get(alias.target) ?? addressesOf(resolver, alias.target);
          targets.set(alias.target, known);
          const found = await known;
          const isSame = found === null || found.join() === alias.addresses.join();
          (isSame ? settled : changed).push(alias);
        }),
      );
    }
    const columns = (all: readonly DueAlias[]) => [all.map((one) => one.zone_id), all.map((one) => one.name)];
    await transaction(pool, async (tx) => {
      await tx.run(same, [...columns(settled), ctx.now.add(LOOKED_UP_EVERY)]);
      await tx.run(moved, columns(changed));
      const zones = new Set(changed.map((one) => one.zone_id));
      await enqueue(
        tx,
        [...zones].map((id) => zoneJob(PUBLISH, id)),
      );
    });
  },
});
