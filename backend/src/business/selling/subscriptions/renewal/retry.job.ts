import { z } from 'zod';
import { statement } from '../../../../db/statement.ts';
import { transaction } from '../../../../db/transaction.ts';
import { lockAccounts } from '../../../../unit-of-work/unit-of-work.ts';
import { bookJob } from '../../../../work/job.ts';
import { enqueue } from '../../../../work/queue.ts';
import life from './lifecycle.job.ts';

const makeDue = statement<object>(
  'make_unpaid_due',
  `UPDATE services s SET due_at = $2 WHERE s.account_id = $1 AND s.auto_renew AND s.ended_at IS NULL
     AND EXISTS (SELECT FROM service_notices n
       WHERE n.service_id = s.id AND n.expire_at = s.expire_at AND n.kind = 'unpaid')`,
);

/** Money has come in: what could not be renewed for want of it is tried again at once. */
export default bookJob({
  name: 'service.retry',
  payload: z.object({ account_id: z.uuid() }),
  async run(pool, ctx, { account_id }) {
    await transaction(pool, async (tx) => {
      await lockAccounts(tx, [account_id]);
      await tx.run(makeDue, [account_id, ctx.now]);
      await enqueue(tx, [{ name: life.name, payload: {}, key: life.name }]);
    });
  },
});
