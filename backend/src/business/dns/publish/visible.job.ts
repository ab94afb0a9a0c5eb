import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { tickJob } from '../../../work/job.ts';
import { lockZone, ZONE_COLUMNS, type Zone } from '../zone/zone.ts';
import { writeObserved } from './visible.ts';

const AT_ONCE = 50;
const WITHIN_MS = 2_000;
/** Until then nobody else asks about it. */
const TAKEN_FOR = { seconds: 10 };

const take = statement<Zone>(
  'take_zones_to_see',
  `UPDATE zones z SET check_at = $2 WHERE z.id IN (
     SELECT id FROM zones WHERE check_at <= $1 ORDER BY check_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
   RETURNING ${ZONE_COLUMNS}`,
);

/** Asks the name servers of zones that were published whether they serve them so by now. */
export default tickJob({
  name: 'dns.visible',
  everyMs: 250,
  async run(pool, ctx, ports) {
    const zones = await pool.run(take, [ctx.now, ctx.now.add(TAKEN_FOR)]);
    await Promise.all(
      zones.map(async (before) => {
        const publication = await ports.dns.publication(before.name, WITHIN_MS).catch(() => null);
        const accounts = before.account_id === null ? [] : [before.account_id];
        await inUnitOfWork(pool, ctx.now, accounts, async (tx, uow) => {
          const zone = await lockZone(tx, before.id);
          // Something newer went out, or it is somebody else's: it is asked about again.
          if (zone === null || zone.published_version !== before.published_version) return;
          if (zone.account_id !== before.account_id || zone.removed_at !== null) return;
          await writeObserved(tx, uow, zone, publication);
        });
      }),
    );
  },
});
