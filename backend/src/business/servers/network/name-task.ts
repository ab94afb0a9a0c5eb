import { randomUUIDv7 } from 'node:crypto';
import { bulkInsert } from '../../../db/changes.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queuedTask, taskInsert } from '../../core/tasks/task.ts';
import type { WrittenZone } from '../../dns/zone/reverse.ts';
import type { Server } from '../server.ts';

/** What customers see of a reverse name that is being published. */
export const NAME_TASK = 'server.ptr';

const nameTaskInsert = bulkInsert<{ task_id: string; zone_id: string; version: number }>(
  'address_name_tasks',
  { task_id: 'uuid', zone_id: 'uuid', version: 'integer' },
);

/** Adds the task that succeeds when the primary name server has this version of a zone. */
export function addNameTask(
  uow: UnitOfWork,
  server: Pick<Server, 'id' | 'account_id'>,
  { zoneId, version }: WrittenZone,
) {
  const id = randomUUIDv7();
  uow.changes.add(taskInsert, {
    id,
    account_id: server.account_id,
    type: NAME_TASK,
    state: 'queued',
    resource_type: 'server',
    resource_id: server.id,
    order_id: null,
    created_at: uow.now,
  });
  uow.changes.add(nameTaskInsert, { task_id: id, zone_id: zoneId, version });
  return queuedTask(id, NAME_TASK, { type: 'server', uuid: server.id }, uow.now);
}
