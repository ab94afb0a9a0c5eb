import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { orderJob } from '../../selling/orders/order-job.ts';
import { DELIVERY, domainJob, PUSH, TRANSFER_OUT } from '../domain-jobs.ts';
import type { DomainTransfer } from './transfer.ts';

const AT_ONCE = 1000;

const due = statement<Pick<DomainTransfer, 'domain_id' | 'direction' | 'order_id'>>(
  'due_transfers',
  `SELECT domain_id, direction, order_id FROM domain_transfers
   WHERE state = 'pending' AND due_at <= $1 ORDER BY due_at LIMIT ${AT_ONCE}`,
);

/** Has every transfer looked at whose time has come, so that none depends on a registry's message alone. */
export default maintenanceJob({
  name: 'domain.follow_transfers',
  schedule: '* * * * *',
  async run(pool, ctx) {
    const transfers = await pool.run(due, [ctx.now]);
    if (transfers.length === 0) return;
    const jobs = transfers.flatMap(({ domain_id, direction, order_id }) => {
      if (direction === 'out') return [domainJob(TRANSFER_OUT, domain_id)];
      if (order_id === null) return [];
      return [orderJob(direction === 'push' ? PUSH : DELIVERY.transfer, order_id)];
    });
    await transaction(pool, (tx) => enqueue(tx, jobs));
  },
});
