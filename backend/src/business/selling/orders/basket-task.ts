import type { Instant } from '../../../base/time.ts';
import { bulkUpdate } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { finishTask, queuedTask, taskInsert } from '../../core/tasks/task.ts';

/** Adds the task by which a customer follows a whole basket, whose id it has; as the wire shows it. */
export function followBasket(uow: UnitOfWork, type: string, accountId: string, id: string) {
  uow.changes.add(taskInsert, {
    id,
    account_id: accountId,
    type,
    state: 'queued',
    resource_type: 'account',
    resource_id: accountId,
    order_id: null,
    created_at: uow.now,
  });
  return queuedTask(id, type, { type: 'account', uuid: accountId }, uow.now);
}

interface Basket {
  id: string;
  account_id: string;
  type: string;
  total: number;
  pending: number;
  failed: number;
}

// The orders that close now are told apart: their rows do not say so yet.
const standing = statement<Basket>(
  'standing_of_baskets',
  `SELECT t.id, t.account_id, t.type, count(*)::int AS total,
     count(*) FILTER (WHERE o.state = 'pending' AND o.id <> ALL($2::uuid[]))::int AS pending,
     count(*) FILTER (WHERE o.state = 'failed')::int AS failed
   FROM tasks t JOIN orders o ON o.basket_id = t.id
   WHERE t.id = ANY($1::uuid[]) AND t.finished_at IS NULL GROUP BY t.id`,
);

/**
 * Brings the tasks of baskets on as their orders close: one has ended when all of its orders are, and well if none of
 * them failed. The accounts are locked, so that of two orders that close at the same moment one sees the other.
 */
export async function followBaskets(
  tx: Transaction,
  uow: UnitOfWork,
  closing: readonly { readonly order_id: string; readonly basket_id: string | null }[],
  outcome: 'delivered' | 'failed',
): Promise<void> {
  const ids = new Set(closing.flatMap(({ basket_id: id }) => id ?? []));
  if (ids.size === 0) return;
  const baskets = await tx.run(standing, [[...ids], closing.map((one) => one.order_id)]);
  for (const { id, account_id: accountId, type, total, pending, failed } of baskets) {
    if (pending > 0) {
      const progress = Math.floor(((total - pending) * 100) / total);
      uow.changes.add(taskProgress, { id, progress, started_at: uow.now });
      continue;
    }
    const resource = { type: 'account', id: accountId };
    const whole = failed === 0 && outcome === 'delivered';
    finishTask(uow, { id, accountId, type, resource }, whole ? null : 'order_incomplete');
  }
}

const taskProgress = bulkUpdate<{ id: string; progress: number; started_at: Instant }>(
  'tasks',
  'progress',
  { id: 'uuid', progress: 'smallint', started_at: 'timestamptz' },
  `state = 'running', progress = n.progress, started_at = coalesce(tasks.started_at, n.started_at)`,
);
