import { type Instant, isBefore } from '../../../base/time.ts';
import { bulkUpdate } from '../../../db/changes.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Product } from '../../core/catalog/schema/product.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { lifecycleOf } from './product.ts';
import { daysAfter, type Living, nextDue } from './renewal/deadlines.ts';
import type { ServiceState } from './service.ts';

/** Whoever got a service back whose term is over has so long at least to renew it. */
const LEAST_KEEP_DAYS = 7;

/**
 * A service that had ended is there again without a further term: on for the rest of the one that is paid for, or kept
 * for some days so that it can be renewed. Whoever calls takes back that it has ended (`reviveService`).
 */
export function resumeService(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  product: Product,
  service: Omit<Living, 'state' | 'delete_at' | 'ends'> & {
    readonly id: string;
    readonly item: string;
    readonly suspensions: readonly string[];
  },
): void {
  const { now } = uow;
  const life = lifecycleOf(catalog, { product, item: service.item });
  const isOn = isBefore(now, service.expire_at);
  const state: ServiceState = isOn ? (service.suspensions.length > 0 ? 'suspended' : 'active') : 'expired';
  const delete_at = isOn ? null : daysAfter(now, Math.max(life.keep_days, LEAST_KEEP_DAYS));
  const due_at = nextDue({ ...service, state, delete_at, ends: false }, life, now);
  uow.changes.add(serviceResumed, { id: service.id, state, delete_at, due_at });
}

const serviceResumed = bulkUpdate<{
  id: string;
  state: ServiceState;
  delete_at: Instant | null;
  due_at: Instant | null;
}>(
  'services',
  'resumed',
  { id: 'uuid', state: 'text', delete_at: 'timestamptz', due_at: 'timestamptz' },
  'state = n.state, delete_at = n.delete_at, due_at = n.due_at, version = services.version + 1',
);
