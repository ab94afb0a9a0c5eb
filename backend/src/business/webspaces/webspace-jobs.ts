import { randomUUIDv7 } from 'node:crypto';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { QueuedJob } from '../../work/queue.ts';
import { queuedTask, taskInsert } from '../core/tasks/task.ts';

/** The job that makes a webspace's site be as the books say. */
export const CONVERGE = 'webspace.converge';
/** The type of the tasks that it finishes. */
export const CONFIGURE = 'webspace.configure';
export const BACKUP = 'webspace.backup';
export const RESTORE = 'webspace.restore';
/** The job that takes the names of a domain from webspaces when its customer has it no more. */
export const WITHDRAW_NAMES = 'webspace.withdraw_names';

/** The back end that serves a webspace, as jobs name it. */
export function webserverOf({ host }: { readonly host: string }): string {
  return `webserver:${host}`;
}

export function convergenceJob(webspaceId: string): QueuedJob {
  return { name: CONVERGE, payload: { webspace_id: webspaceId }, key: `${CONVERGE}:${webspaceId}` };
}

/** By the task of the restore. */
export function restoreJob(taskId: string): QueuedJob {
  return { name: RESTORE, payload: { task_id: taskId }, key: `${RESTORE}:${taskId}` };
}

/** Enqueues it, to run once the unit of work's changes are committed. Asked for twice, it runs once. */
export function convergeWebspace(uow: UnitOfWork, webspaceId: string): void {
  push(uow, convergenceJob(webspaceId));
}

/** Has webspaces serve no name any more by a domain that its customer has no more: rule H1. */
export function domainLeaves(uow: UnitOfWork, domainId: string): void {
  push(uow, {
    name: WITHDRAW_NAMES,
    payload: { domain_id: domainId },
    key: `${WITHDRAW_NAMES}:${domainId}`,
  });
}

/** Adds a task about a webspace, as the wire shows it; whoever calls enqueues the job that finishes it. */
export function addTask(
  uow: UnitOfWork,
  webspace: { readonly id: string; readonly account_id: string },
  type: string,
) {
  const id = randomUUIDv7();
  uow.changes.add(taskInsert, {
    id,
    account_id: webspace.account_id,
    type,
    state: 'queued',
    resource_type: 'webspace',
    resource_id: webspace.id,
    order_id: null,
    created_at: uow.now,
  });
  return queuedTask(id, type, { type: 'webspace', uuid: webspace.id }, uow.now);
}

/** Has the site follow what this transaction changes of a webspace; the task that says when it has. */
export function configure(
  uow: UnitOfWork,
  webspace: { readonly id: string; readonly account_id: string },
): ReturnType<typeof addTask> {
  convergeWebspace(uow, webspace.id);
  return addTask(uow, webspace, CONFIGURE);
}

export function push(uow: UnitOfWork, job: QueuedJob): void {
  if (!uow.jobs.some((queued) => queued.key === job.key)) uow.jobs.push(job);
}
