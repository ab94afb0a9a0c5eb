import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { QueuedJob } from '../../work/queue.ts';
import type { TaskRef } from '../core/tasks/task.ts';
import { DNS_TASK, PUBLISH, zoneJob } from '../dns/publish/zone-jobs.ts';
import { AUTHCODE, domainJob, CONVERGE as ENFORCE_DOMAIN } from '../domains/domain-jobs.ts';
import { orderJob } from '../selling/orders/order-job.ts';
import { changeJobOf } from '../servers/changes/change.ts';
import { NAME_TASK } from '../servers/network/name-task.ts';
import { backupJob } from '../webspaces/backups/backups.ts';
import { CONFIGURE, convergenceJob, RESTORE, restoreJob } from '../webspaces/webspace-jobs.ts';

/** How an operator ends a piece of work, by what holds its state. */
export type WorkKind =
  /** An order for something new, or for a further term: it is delivered, or its hold is released. */
  | 'order'
  | 'server_change'
  | 'domain_change'
  | 'authcode'
  | 'webspace_backup'
  /** Nothing but the task waits for it. */
  | 'task';

/** Work that a back end has to do and that has not ended, with its task where it has one. */
export interface OpenWork {
  readonly kind: WorkKind;
  readonly task_id: string | null;
  readonly type: string;
  readonly account_id: string;
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  readonly service_id: string;
  readonly order_id: string | null;
  readonly created_at: Instant;
  readonly zone_id: string | null;
  readonly backup_id: string | null;
}

// By the uuid of the task, of the order, or of the basket. An order that has lost its task is found by its own uuid only.
const find = statement<OpenWork>(
  'find_open_work',
  `WITH wanted AS (
     SELECT id FROM tasks WHERE id = $1
     UNION SELECT t.id FROM orders o JOIN tasks t ON t.resource_id = o.service_id AND t.order_id = o.id WHERE o.id = $1
     UNION SELECT t.id FROM orders o JOIN tasks t ON t.resource_id = o.service_id AND t.order_id = o.id
       WHERE o.basket_id = $1
     UNION SELECT c.id FROM orders o JOIN domain_changes c ON c.domain_id = o.service_id AND c.order_id = o.id
       WHERE o.id = $1
     UNION SELECT c.task_id FROM orders o JOIN server_changes c ON c.server_id = o.service_id
         AND c.wanted ->> 'order_id' = o.id::text WHERE o.id = $1)
   SELECT CASE WHEN sc.task_id IS NOT NULL THEN 'server_change' WHEN dc.id IS NOT NULL THEN 'domain_change'
       WHEN t.type = '${AUTHCODE}' THEN 'authcode' WHEN b.id IS NOT NULL THEN 'webspace_backup'
       WHEN o.id IS NOT NULL THEN 'order' ELSE 'task' END AS kind,
     t.id AS task_id, t.type, t.account_id, s.product, s.id AS service_id,
     coalesce(t.order_id, dc.order_id, (sc.wanted ->> 'order_id')::uuid) AS order_id, t.created_at,
     coalesce((SELECT n.zone_id FROM address_name_tasks n WHERE n.task_id = t.id),
       (SELECT z.id FROM zones z WHERE z.domain_id = s.id AND z.removed_at IS NULL LIMIT 1)) AS zone_id, b.id AS backup_id
   FROM wanted w JOIN tasks t ON t.id = w.id JOIN services s ON s.id = t.resource_id
   LEFT JOIN orders o ON o.id = t.order_id AND o.state = 'pending'
   LEFT JOIN server_changes sc ON sc.server_id = s.id AND sc.task_id = t.id
   LEFT JOIN domain_changes dc ON dc.domain_id = s.id AND dc.id = t.id
   LEFT JOIN webspace_backups b ON b.webspace_id = s.id AND b.task_id = t.id AND b.state = 'pending'
   WHERE t.finished_at IS NULL
   UNION ALL
   SELECT 'order', NULL, '', o.account_id, o.product, o.service_id, o.id, o.created_at, NULL, NULL
   FROM orders o WHERE o.id = $1 AND o.state = 'pending' AND NOT EXISTS (SELECT FROM wanted)
   ORDER BY 2`,
);

/** What is open by this uuid: of a task, of an order, or of an order of several things together. */
export async function openWork(db: Executor, id: string): Promise<readonly OpenWork[]> {
  return await db.run(find, [id]);
}

export function taskOf(work: OpenWork): TaskRef | null {
  const { task_id: id, account_id: accountId, type, product, service_id } = work;
  return id === null ? null : { id, accountId, type, resource: { type: product, id: service_id } };
}

/** Its back end is the primary name server, and not that of the thing it is about. */
export function isPublication({ type }: OpenWork): boolean {
  return type === DNS_TASK || type === NAME_TASK;
}

/** The job that does it; null: it has none of its own, and is looked for by a clock. */
export function jobOf(work: OpenWork): QueuedJob | null {
  const { kind, type, order_id, service_id, task_id, zone_id, backup_id } = work;
  switch (kind) {
    case 'order':
      return order_id === null || type === '' ? null : orderJob(type, order_id);
    case 'server_change':
      return changeJobOf(type, service_id);
    case 'domain_change':
      return domainJob(ENFORCE_DOMAIN, service_id);
    case 'authcode':
      return domainJob(AUTHCODE, service_id);
    case 'webspace_backup':
      return backup_id === null ? null : backupJob(backup_id);
    case 'task':
      if (isPublication(work)) return zone_id === null ? null : zoneJob(PUBLISH, zone_id);
      if (type === CONFIGURE) return convergenceJob(service_id);
      return type === RESTORE && task_id !== null ? restoreJob(task_id) : null;
  }
}
