import type { QueuedJob } from '../../../work/queue.ts';

/**
 * The job that delivers a pending order: it takes the order's id, and its name is the type of the task that
 * customers watch. So whoever finds an order stranded knows what to enqueue, whatever the product.
 */
export function orderJob(
  name: string,
  orderId: string,
  turn: Pick<QueuedJob, 'account' | 'priority'> = {},
): QueuedJob {
  return { name, payload: { order_id: orderId }, key: `${name}:${orderId}`, ...turn };
}
