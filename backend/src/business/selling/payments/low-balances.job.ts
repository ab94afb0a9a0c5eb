import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { balanceLowJob } from './work.ts';

const AT_ONCE = 1000;

const low = statement<{ id: string }>(
  'low_balances',
  `SELECT id FROM accounts
   WHERE auto_topup_method IS NOT NULL AND balance < low_balance_threshold AND id > $1
   ORDER BY id LIMIT ${AT_ONCE}`,
);
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Tries automatic top-ups again for balances that stayed low: after a decline the day before, or where a threshold
 * was set above the balance.
 */
export default maintenanceJob({
  name: 'payment.low-balances',
  schedule: '10 * * * *',
  async run(pool) {
    let after = BEFORE_ALL;
    for (;;) {
      const accounts = await pool.run(low, [after]);
      const last = accounts.at(-1);
      if (last === undefined) return;
      await transaction(pool, (tx) =>
        enqueue(
          tx,
          accounts.map(({ id }) => balanceLowJob(id)),
        ),
      );
      after = last.id;
    }
  },
});
