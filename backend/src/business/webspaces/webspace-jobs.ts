import { randomUUIDv7 } from 'node:crypto';
import type { Frame } from '../../unit-of-work/unit-of-work.ts';
import type { QueuedJob } from '../../work/queue.ts';
import { queuedTask, taskInsert } from '../core/tasks/task.ts';

/** The job that makes a webspace's site be as the books say. */
export const ENFORCE = 'webspace.enforce';
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

export function enforcementJob(webspaceId: string): QueuedJob {
  return { name: ENFORCE, payload: { webspace_id: webspaceId }, key: `${ENFORCE}:${webspaceId}` };
}

/** By the task of the restore. */
export function restoreJob(taskId: string): QueuedJob {
  return { name: RESTORE, payload: { task_id: taskId }, key: `${RESTORE}:${taskId}` };
}

/** Enqueues it, to run once the frame's changes are committed. Asked for twice, it runs once. */
export function enforceWebspace(frame: Frame, webspaceId: string): void {
  push(frame, enforcementJob(webspaceId));
}

/** Has webspaces serve no name any more by a domain that its customer has no more: rule H1. */
export function domainLeaves(frame: Frame, domainId: string): void {
  push(frame, {
    name: WITHDRAW_NAMES,
    payload: { domain_id: domainId },
    key: `${WITHDRAW_NAMES}:${domainId}`,
  });
}

/** Adds a task about a webspace, as the wire shows it; whoever calls enqueues the job that finishes it. */
export function addTask(
  frame: Frame,
  webspace: { readonly id: string; readonly account_id: string },
  type: string,
) {
  const id = randomUUIDv7();
  frame.changes.add(taskInsert, {
    id,
    account_id: webspace.account_id,
    type,
    state: 'queued',
    resource_type: 'webspace',
    resource_id: webspace.id,
    order_id: null,
    created_at: frame.now,
  });
  return queuedTask(id, type, { type: 'webspace', uuid: webspace.id }, frame.now);
}

/** Has the site follow what this transaction changes of a webspace; the task that says when it has. */
export function configure(
  frame: Frame,
  webspace: { readonly id: string; readonly account_id: string },
): ReturnType<typeof addTask> {
  enforceWebspace(frame, webspace.id);
  return addTask(frame, webspace, CONFIGURE);
}

export function push(frame: Frame, job: QueuedJob): void {
  if (!frame.jobs.some((queued) => queued.key === job.key)) frame.jobs.push(job);
}
