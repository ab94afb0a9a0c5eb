import { randomUUIDv7 } from 'node:crypto';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { Priority } from '../../work/priority.ts';
import type { QueuedJob } from '../../work/queue.ts';
import { queuedTask, taskInsert } from '../core/tasks/task.ts';
import { orderJob } from '../selling/orders/order-job.ts';
import type { DomainAction } from './price.ts';

/** The jobs that deliver orders, and the types of their tasks. */
export const DELIVERY = {
  register: 'domain.register',
  transfer: 'domain.transfer',
  renew: 'domain.renew',
  restore: 'domain.restore',
} as const satisfies Record<DomainAction, string>;
/** A transfer between customers of ours, which no registry hears of. */
export const PUSH = 'domain.push';
/** The job that makes a registration be as the books say. */
export const CONVERGE = 'domain.converge';
/** The job that has a registry know the code that was given out; the type of its task, too. */
export const AUTHCODE = 'domain.authcode';
/** The job that asks a registry what became of a domain. */
export const LOOK = 'domain.look';
/** The job that follows somebody's request for a domain of ours. */
export const TRANSFER_OUT = 'domain.transfer_out';

/** The back end that has a domain, as jobs name it. */
export function registryOf({ registry }: { readonly registry: string }): string {
  return `registry:${registry}`;
}

/** The job about a domain. */
export function domainJob(name: string, domainId: string): QueuedJob {
  return { name, payload: { domain_id: domainId }, key: `${name}:${domainId}` };
}

/** Enqueues it, to run once the unit of work's changes are committed. Asked for twice, it runs once. */
export function enqueueFor(uow: UnitOfWork, name: string, domainId: string): void {
  const job = domainJob(name, domainId);
  if (!uow.jobs.some((queued) => queued.key === job.key)) uow.jobs.push(job);
}

/** Has the registration brought in line with the books: its statuses, contacts and name servers, or its end. */
export function convergeDomain(uow: UnitOfWork, domainId: string): void {
  enqueueFor(uow, CONVERGE, domainId);
}

/** Adds the task and the job that deliver an order; the task as the wire shows it. */
export function deliverSoon(
  uow: UnitOfWork,
  type: (typeof DELIVERY)[DomainAction] | typeof PUSH,
  ordered: { readonly accountId: string; readonly domainId: string; readonly orderId: string },
  priority?: Priority,
) {
  const id = randomUUIDv7();
  uow.changes.add(taskInsert, {
    id,
    account_id: ordered.accountId,
    type,
    state: 'queued',
    resource_type: 'domain',
    resource_id: ordered.domainId,
    order_id: ordered.orderId,
    created_at: uow.now,
  });
  uow.jobs.push(
    orderJob(type, ordered.orderId, {
      account: ordered.accountId,
      ...(priority === undefined ? {} : { priority }),
    }),
  );
  return queuedTask(id, type, { type: 'domain', uuid: ordered.domainId }, uow.now);
}

/** Adds the task and the job that have a registry know a new code; the task as the wire shows it. */
export function authcodeSoon(uow: UnitOfWork, accountId: string, domainId: string) {
  const id = randomUUIDv7();
  uow.changes.add(taskInsert, {
    id,
    account_id: accountId,
    type: AUTHCODE,
    state: 'queued',
    resource_type: 'domain',
    resource_id: domainId,
    order_id: null,
    created_at: uow.now,
  });
  enqueueFor(uow, AUTHCODE, domainId);
  return queuedTask(id, AUTHCODE, { type: 'domain', uuid: domainId }, uow.now);
}
