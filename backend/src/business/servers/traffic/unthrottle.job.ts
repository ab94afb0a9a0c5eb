import { statement } from '../../../db/statement.ts';
import { emit, inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { uplinkJob } from './uplink.ts';

const AT_ONCE = 1000;

const ENDED = `v.throttled_to IS NOT NULL AND NOT EXISTS (SELECT FROM server_traffic t
  WHERE t.server_id = v.id AND t.period_to > $1 AND t.period_from <= $1 AND t.exceeded_at IS NOT NULL)`;

const ended = statement<{ id: string; account_id: string }>(
  'ended_throttles',
  `SELECT v.id, s.account_id FROM servers v JOIN services s ON s.id = v.id WHERE ${ENDED}
   ORDER BY v.id LIMIT ${AT_ONCE}`,
);
const lift = statement<{ id: string; account_id: string; uplink: number }>(
  'lift_throttles',
  `UPDATE servers v SET throttled_to = NULL, uplink_due = true FROM services s
   WHERE s.id = v.id AND v.id = ANY($2::uuid[]) AND ${ENDED}
   RETURNING v.id, s.account_id, v.uplink`,
);

/** Gives servers their uplink back once the billing period ended whose traffic they had used up. */
export default maintenanceJob({
  name: 'server.unthrottle',
  schedule: '*/5 * * * *',
  async run(pool, { now }) {
    const servers = await pool.run(ended, [now]);
    if (servers.length === 0) return;
    const accounts = [...new Set(servers.map((server) => server.account_id))];
    await inUnitOfWork(pool, now, accounts, async (tx, uow) => {
      for (const server of await tx.run(lift, [now, servers.map(({ id }) => id)])) {
        emit(uow, lockedAccount(uow, server.account_id), {
          type: 'server.unthrottled',
          resource: { type: 'server', id: server.id },
          body: { uplink: server.uplink },
        });
        uow.jobs.push(uplinkJob(server.id));
      }
    });
  },
});
