import { type Instant, isBefore } from '../../../../base/time.ts';
import { bulkInsert, bulkUpdate } from '../../../../db/changes.ts';
import type { UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import type { ServiceLifecycle } from '../product.ts';
import type { ServiceState } from '../service.ts';
import { nextDue } from './deadlines.ts';
import type { DueService } from './due.ts';

/** What a sweep changes of a service. */
export interface LifecycleChange {
  readonly state: ServiceState;
  readonly delete_at: Instant | null;
  readonly announced_version: number | null;
  readonly ended_at: Instant | null;
}

/** What a customer was told of an end, once each. */
export type Told = `expiring:${number}` | 'unpaid' | 'not-renewable' | 'price-changed';

/** Writes what changes of a service, and when to look at it next. */
export function changeService(
  uow: UnitOfWork,
  service: DueService,
  life: ServiceLifecycle,
  change: Partial<LifecycleChange>,
): void {
  const { now } = uow;
  const state = change.state ?? service.state;
  const delete_at = change.delete_at ?? (state === 'active' ? null : service.delete_at);
  const due = nextDue({ ...service, state, delete_at }, life, now);
  uow.changes.add(serviceLifecycle, {
    id: service.id,
    state,
    delete_at,
    announced_version: change.announced_version ?? service.announced_version,
    ended_at: change.ended_at ?? null,
    // Whatever has to wait although its moment has come is looked at again in an hour.
    due_at: due !== null && !isBefore(now, due) ? now.add({ hours: 1 }) : due,
  });
}

/** Writes down that something was told of the end that a service has now. */
export function noteNotified(uow: UnitOfWork, service: DueService, kind: Told): void {
  uow.changes.add(noticeInsert, {
    service_id: service.id,
    expire_at: service.expire_at,
    kind,
    created_at: uow.now,
  });
}

/** Adds non-payment to the reasons that a service is suspended for, unless it is one of them. */
export function suspendUnpaid(uow: UnitOfWork, service: DueService): void {
  if (service.suspensions.includes('unpaid')) return;
  uow.changes.add(suspensionInsert, { service_id: service.id, reason: 'unpaid', since: uow.now });
}

const serviceLifecycle = bulkUpdate<
  LifecycleChange & { readonly id: string; readonly due_at: Instant | null }
>(
  'services',
  'life',
  {
    id: 'uuid',
    state: 'text',
    delete_at: 'timestamptz',
    announced_version: 'integer',
    ended_at: 'timestamptz',
    due_at: 'timestamptz',
  },
  `state = n.state, delete_at = n.delete_at, announced_version = n.announced_version, due_at = n.due_at,
   ended_at = coalesce(services.ended_at, n.ended_at),
   version = services.version + CASE WHEN services.state = n.state THEN 0 ELSE 1 END`,
);

const noticeInsert = bulkInsert<{
  service_id: string;
  expire_at: Instant;
  kind: string;
  created_at: Instant;
}>('service_notices', {
  service_id: 'uuid',
  expire_at: 'timestamptz',
  kind: 'text',
  created_at: 'timestamptz',
});

const suspensionInsert = bulkInsert<{ service_id: string; reason: string; since: Instant }>('suspensions', {
  service_id: 'uuid',
  reason: 'text',
  since: 'timestamptz',
});
