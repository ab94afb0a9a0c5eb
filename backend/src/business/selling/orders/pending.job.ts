import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { orderJob } from './order-job.ts';

const AT_ONCE = 1000;

// A transfer, and a change of a domain, wait for others and are followed by themselves; so is a change of a server. The key is that of orderJob. A job that has used up its attempts is not alive; one that waits or runs is.
const stranded = statement<{ order_id: string; type: string | null }>(
  'stranded_orders',
  `SELECT o.id AS order_id, t.type
   FROM orders o
   LEFT JOIN tasks t ON t.resource_id = o.service_id AND t.order_id = o.id AND t.finished_at IS NULL
   WHERE o.state = 'pending' AND NOT EXISTS (
     SELECT FROM domain_transfers w WHERE w.order_id = o.id AND w.state = 'pending')
   AND NOT EXISTS (SELECT FROM domain_changes c WHERE c.order_id = o.id)
   AND NOT EXISTS (
     SELECT FROM server_changes c WHERE c.server_id = o.service_id AND c.wanted ->> 'order_id' = o.id::text)
   AND NOT EXISTS (
     SELECT FROM graphile_worker.jobs j WHERE j.key = t.type || ':' || o.id AND j.attempts < j.max_attempts)
   ORDER BY o.created_at LIMIT ${AT_ONCE}`,
);

/** Enqueues again every pending order whose job is gone, so that none waits for ever (rule C2). */
export default maintenanceJob({
  name: 'order.pending',
  schedule: '* * * * *',
  async run(pool, ctx) {
    const orders = await pool.run(stranded, []);
    const jobs = orders.flatMap(({ type, order_id }) => (type === null ? [] : [orderJob(type, order_id)]));
    if (jobs.length > 0) {
      await transaction(pool, (tx) => enqueue(tx, jobs, 'bulk'));
      ctx.log.warn({ orders: jobs.length }, 'pending orders without a job were enqueued again');
    }
    const lost = orders.filter((order) => order.type === null).map((order) => order.order_id);
    if (lost.length > 0)
      ctx.log.error({ orders: lost }, 'pending orders have no task: nothing delivers them');
  },
});
