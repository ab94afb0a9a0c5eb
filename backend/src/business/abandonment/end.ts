import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { suspectOrphan } from '../core/backends/discrepancy.ts';
import { cancelTask } from '../core/tasks/task.ts';
import { changesOf } from '../domains/changes/change.ts';
import { abandon as abandonChange } from '../domains/changes/change-progress.ts';
import { endDomain, lockDomain } from '../domains/domain.ts';
import { enqueueFor, LOOK } from '../domains/domain-jobs.ts';
import { notifyNotRenewed } from '../domains/renewal/not-renewed.ts';
import { endAuthcode } from '../domains/transfer/authcode-issued.ts';
import { closeTransfer, pendingTransfer } from '../domains/transfer/transfer.ts';
import { GIVEN_UP, releaseHold } from '../selling/orders/hold.ts';
import { serviceOutcome } from '../selling/subscriptions/service.ts';
import type { LockedService } from '../selling/subscriptions/suspension.ts';
import { returnPlacements } from '../servers/capacity/placement.ts';
import { abandonMachineChange } from '../servers/changes/abandon-change.ts';
import { NAME_TASK } from '../servers/network/name-task.ts';
import { serverRefused } from '../servers/server.ts';
import { finishBackup } from '../webspaces/backups/backups.ts';
import { returnPlacement } from '../webspaces/placement.ts';
import { webspaceRemoved } from '../webspaces/webspace.ts';
import type { Seen } from './look.ts';
import { type OpenWork, taskOf } from './open-work.ts';

/**
 * Ends open work, whose account and service are locked: what it had reserved is free, its task is cancelled, its customer
 * is notified. A command that still takes effect finds the work ended and leaves what it made: the comparison of books and
 * back ends reports that, and nothing removes it by itself. Where the back end could not rule that out, it is reported
 * from now on, until a comparison has looked.
 */
export async function endWork(
  tx: Transaction,
  uow: UnitOfWork,
  service: LockedService,
  work: OpenWork,
  seen: Seen,
): Promise<void> {
  const { service_id: id, task_id: taskId } = work;
  const task = taskOf(work);
  switch (work.kind) {
    case 'server_change':
      if (taskId !== null) await abandonMachineChange(tx, uow, taskId, { type: work.type, server_id: id });
      return;
    case 'domain_change': {
      const domain = await lockDomain(tx, id);
      const change = (await changesOf(tx, id)).find((one) => one.id === taskId);
      if (domain !== null && change !== undefined) await abandonChange(tx, uow, domain, change, 'abandoned');
      return;
    }
    case 'order':
      await endOrder(tx, uow, service, work, seen);
      break;
    case 'authcode':
      await endAuthcode(tx, uow, id);
      break;
    case 'webspace_backup':
      if (work.backup_id !== null) await finishBackup(tx, work.backup_id, null, uow.now);
      break;
    case 'task':
      if (work.type === NAME_TASK) await tx.run(dropNameTask, [taskId]);
  }
  if (task !== null) cancelTask(uow, task, 'abandoned');
}

const dropNameTask = statement<object>(
  'drop_address_name_task',
  'DELETE FROM address_name_tasks WHERE task_id = $1',
);

async function endOrder(
  tx: Transaction,
  uow: UnitOfWork,
  service: LockedService,
  { order_id: orderId, service_id: id, product }: OpenWork,
  seen: Seen,
): Promise<void> {
  if (orderId === null || !(await releaseHold(tx, uow, orderId, GIVEN_UP))) return;
  const mayBeThere = seen !== 'absent';
  if (product === 'domain') {
    await endDomainOrder(tx, uow, id, orderId, mayBeThere);
    return;
  }
  // Delivered before: what was ordered then is a further term, and the service stays as it is.
  if (service.state !== 'pending' && service.state !== 'provisioning') return;
  uow.changes.add(serviceOutcome, { id, state: 'error', ended_at: uow.now });
  if (product === 'server') {
    await returnPlacements(tx, [id], uow.now);
    uow.changes.add(serverRefused, { id });
    const [place] = await tx.run(serverPlace, [id]);
    if (mayBeThere && place !== undefined)
      await suspectOrphan(tx, { ...place, kind: 'machine_unknown', subject: id, orderId }, uow.now);
  }
  if (product === 'webspace') {
    const [place] = await tx.run(webspacePlace, [id]);
    if (place === undefined) return;
    await returnPlacement(tx, place.backend, place.disk);
    uow.changes.add(webspaceRemoved, { id, removed_at: uow.now });
    await tx.run(dropNames, [id]);
    if (mayBeThere)
      await suspectOrphan(
        tx,
        { backend: place.backend, node: null, kind: 'site_unknown', subject: id, orderId },
        uow.now,
      );
  }
}

const serverPlace = statement<{ backend: string; node: string }>(
  'place_of_ended_server',
  'SELECT host AS backend, node FROM servers WHERE id = $1',
);
const webspacePlace = statement<{ backend: string; disk: number }>(
  'place_of_ended_webspace',
  'SELECT host AS backend, disk FROM webspaces WHERE id = $1',
);
const dropNames = statement<object>(
  'drop_names_of_ended_webspace',
  'DELETE FROM webspace_domains WHERE webspace_id = $1',
);
const actionOf = statement<{ action: string }>(
  'action_of_domain_order',
  'SELECT action FROM domain_orders WHERE order_id = $1',
);

async function endDomainOrder(
  tx: Transaction,
  uow: UnitOfWork,
  id: string,
  orderId: string,
  mayBeThere: boolean,
): Promise<void> {
  const domain = await lockDomain(tx, id);
  const [order] = await tx.run(actionOf, [orderId]);
  if (domain === null || order === undefined) return;
  const suspect = (kind: string) =>
    suspectOrphan(tx, { backend: domain.registry, node: null, kind, subject: domain.name, orderId }, uow.now);
  if (order.action === 'register' || order.action === 'transfer') {
    const transfer = await pendingTransfer(tx, id);
    if (transfer?.order_id === orderId) closeTransfer(uow, transfer.id, 'cancelled');
    uow.changes.add(serviceOutcome, { id, state: 'error', ended_at: uow.now });
    endDomain(uow, id, 'failed');
    if (mayBeThere) await suspect('domain_unknown');
    return;
  }
  if (order.action === 'renew') notifyNotRenewed(uow, domain, 'abandoned');
  if (mayBeThere) await suspect(order.action === 'renew' ? 'domain_expiry_differs' : 'domain_state_differs');
  // Its registry is asked what it did as soon as it answers.
  enqueueFor(uow, LOOK, id);
}
