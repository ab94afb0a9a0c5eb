import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { emit, inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { convergeServer } from '../machine/convergence.ts';
import { CHANGEABLE } from './change.ts';

const owners = statement<{ account_id: string }>(
  'owners_of_powered_off_servers',
  'SELECT DISTINCT account_id FROM services WHERE id = ANY($1::uuid[])',
);
// What was done to a machine since may have started it again.
const stop = statement<{ id: string; account_id: string }>(
  'book_powered_off_servers',
  `UPDATE servers v SET wanted_power = 'stopped', power_state = 'stopped' FROM services s
   WHERE s.id = v.id AND v.id = ANY($1::uuid[]) AND v.wanted_power = 'running' AND v.removed_at IS NULL
     AND s.state = ANY($2::text[]) AND NOT EXISTS (
       SELECT FROM tasks t WHERE t.resource_id = v.id AND (t.finished_at IS NULL OR t.finished_at >= $3))
   RETURNING v.id, s.account_id`,
);

/**
 * Has the books follow machines that their own system switched off, as it was seen after this time: whoever is logged in
 * there is who says whether it runs, and nothing starts it again until its customer does.
 */
export async function recordPoweredOff(
  pool: Pool,
  seenAfter: Instant,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const accounts = (await pool.run(owners, [ids])).map((row) => row.account_id);
  await inUnitOfWork(pool, seenAfter, accounts, async (tx, uow) => {
    for (const { id, account_id } of await tx.run(stop, [ids, CHANGEABLE, seenAfter])) {
      emit(uow, lockedAccount(uow, account_id), {
        type: 'server.power_changed',
        resource: { type: 'server', id },
        body: { action: 'shutdown', power_state: 'stopped', forced: false },
      });
      // Its hypervisor may still keep what the machine had in memory.
      convergeServer(uow, id);
    }
  });
}
