import { type Instant, isBefore, later } from '../../../../base/time.ts';
import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import type { Product } from '../../../core/catalog/schema/product.ts';
import type { CatalogVersion } from '../../../core/catalog/versions.ts';
import { type RunningOrder, runningOrders } from '../../orders/refund.ts';
import { lifecycleOf } from '../product.ts';
import { deletionAt, endAt, isOff } from '../renewal/deadlines.ts';
import { BEING_MADE, type ServiceState } from '../service.ts';
import { endingOf, type OpenOrder, openOrders } from './open-orders.ts';
import { type NoWithdrawal, noWithdrawal, type Unused, unusedOf } from './withdrawal.ts';

/** How a service is cancelled; `revoke` takes a cancellation to the end of the term back. */
export const CANCELLATION_MODES = ['end_of_term', 'immediate', 'withdraw', 'revoke'] as const;
export type CancellationMode = (typeof CANCELLATION_MODES)[number];

/** In which states a service can be ended at once; what has ended cannot. */
const ENDABLE: readonly ServiceState[] = [
  'pending',
  'provisioning',
  'active',
  'suspended',
  'cancel_scheduled',
  'expired',
];
/** In which it can be cancelled to the end of its term; the term of an expired one has ended. */
const SCHEDULABLE: readonly ServiceState[] = ['active', 'suspended'];
/** Withdrawn from, it cost nothing or next to it: so that nobody empties the stock for nothing, its place is free soon. */
const WITHDRAWN_KEEP_DAYS = 1;
const REVOCABLE: readonly ServiceState[] = ['cancel_scheduled'];

/** A service, whatever the product, as its cancellation finds it: row and account are locked. */
export interface Cancellable {
  readonly id: string;
  readonly account_id: string;
  readonly product: Product;
  readonly item: string;
  readonly name: string;
  readonly state: ServiceState;
  readonly expire_at: Instant;
  /** When what was switched off is deleted. */
  readonly delete_at: Instant | null;
  /** The cancellation to the end of its term; null: it is not cancelled. */
  readonly scheduled: string | null;
  /** When it was first ordered. */
  readonly ordered_at: Instant | null;
  /** Whether its customer ordered it as a business: with a VAT number that was confirmed then. */
  readonly ordered_as_business: boolean;
  /** What was paid for terms that are not over. */
  readonly orders: readonly RunningOrder[];
  /** What is ordered and not there yet. */
  readonly open: readonly OpenOrder[];
}

const load = statement<Omit<Cancellable, 'orders' | 'open'>>(
  'load_cancellable_service',
  `SELECT s.id, s.account_id, s.product, s.item, coalesce(s.custom_name, v.hostname, s.name) AS name, s.state, s.expire_at,
     s.delete_at,
     c.id AS scheduled,
     o.created_at AS ordered_at, coalesce(b.vat_state = 'valid', false) AS ordered_as_business
   FROM services s LEFT JOIN servers v ON v.id = s.id
   LEFT JOIN LATERAL (SELECT created_at, account_id, address_version FROM orders
     WHERE service_id = s.id AND action = 'create' AND state = 'completed' ORDER BY created_at LIMIT 1) o ON true
   LEFT JOIN billing_address_versions b ON b.account_id = o.account_id AND b.version = o.address_version
   LEFT JOIN cancellations c ON c.service_id = s.id AND c.revoked_at IS NULL AND c.mode = 'end_of_term'
   WHERE s.id = $1`,
);

/** Reads what a cancellation depends on. The service must be locked, and before it its account. */
export async function loadCancellable(
  tx: Transaction,
  serviceId: string,
  now: Instant,
): Promise<Cancellable> {
  const [[service], orders, open] = await Promise.all([
    tx.run(load, [serviceId]),
    runningOrders(tx, serviceId, now),
    openOrders(tx, serviceId),
  ]);
  if (service === undefined) throw new Error(`service ${serviceId} does not exist`);
  return { ...service, orders, open };
}

/** What a cancellation comes to, before anything is done. */
export interface CancellationPlan {
  readonly mode: CancellationMode;
  /** The service's state afterwards. */
  readonly state: ServiceState;
  /** When the service ends; null: it goes on. */
  readonly endsAt: Instant | null;
  readonly revocableUntil: Instant | null;
  readonly deleteAt: Instant | null;
  /** What is paid back, order by order. */
  readonly refunds: readonly Unused[];
}

/** Why it cannot be. */
export type NoCancellation =
  | {
      readonly kind: 'state_conflict';
      readonly current: ServiceState;
      readonly allowed: readonly ServiceState[];
    }
  /** Its back end may be delivering what was ordered at this moment; the task that tells when it has. */
  | { readonly kind: 'being_delivered'; readonly current: ServiceState; readonly taskId: string }
  | { readonly kind: 'withdrawal_not_available'; readonly reason: NoWithdrawal };

export type CancellationDecision =
  | { readonly kind: 'planned'; readonly plan: CancellationPlan }
  | NoCancellation;

/** Decides what a cancellation comes to for this service, or why it cannot be. Changes nothing. */
export function planCancellation(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  service: Cancellable,
  mode: CancellationMode,
): CancellationDecision {
  const { now } = uow;
  const life = lifecycleOf(catalog, service);
  // One that is off remembers in its cancellation, not in its state, that it is cancelled.
  const current =
    service.scheduled !== null && service.state === 'suspended' ? 'cancel_scheduled' : service.state;
  const conflict = (allowed: readonly ServiceState[]) =>
    ({ kind: 'state_conflict', current, allowed }) as const;
  const none = { endsAt: null, revocableUntil: null, deleteAt: null, refunds: [] };
  const delivered = service.open.find((order) => endingOf(order) === 'not_now');
  if (delivered !== undefined && mode !== 'revoke')
    return { kind: 'being_delivered', current, taskId: delivered.task_id };
  switch (mode) {
    case 'revoke': {
      if (!REVOCABLE.includes(current) || !isBefore(now, service.expire_at)) return conflict(REVOCABLE);
      const state = service.state === 'suspended' ? 'suspended' : 'active';
      return { kind: 'planned', plan: { ...none, mode, state } };
    }
    case 'end_of_term': {
      if (!SCHEDULABLE.includes(current)) return conflict(SCHEDULABLE);
      // In grace the term is over already: it ends as soon as it is looked at.
      const end = endAt(service, life);
      const endsAt = later(end, now);
      const plan: CancellationPlan = {
        ...none,
        mode,
        state: service.state === 'suspended' ? 'suspended' : 'cancel_scheduled',
        endsAt,
        revocableUntil: isBefore(now, end) ? end : null,
        deleteAt: isOff(service) ? service.delete_at : deletionAt(service, life, endsAt),
      };
      return { kind: 'planned', plan };
    }
    case 'withdraw':
    case 'immediate': {
      if (!ENDABLE.includes(current)) return conflict(ENDABLE);
      // Nothing was delivered yet: the money is free again, and nothing is kept.
      if (BEING_MADE.includes(current))
        return { kind: 'planned', plan: { ...none, mode, state: 'cancelled', endsAt: now, deleteAt: now } };
      const facts = {
        policy: life.withdrawal,
        business: service.ordered_as_business,
        orderedAt: service.ordered_at,
        timezone: catalog.content.seller?.timezone ?? 'UTC',
        now,
      };
      const reason = mode === 'withdraw' ? noWithdrawal(facts) : null;
      if (reason !== null) return { kind: 'withdrawal_not_available', reason };
      const keepDays = mode === 'withdraw' ? Math.min(life.keep_days, WITHDRAWN_KEEP_DAYS) : life.keep_days;
      const unused = mode === 'withdraw' ? service.orders.map((order) => unusedOf(order, now)) : [];
      const plan: CancellationPlan = {
        ...none,
        mode,
        state: 'cancelled',
        endsAt: now,
        deleteAt: deletionAt(service, { ...life, keep_days: keepDays }, now),
        refunds: unused.filter(({ gross }) => gross > 0n),
      };
      return { kind: 'planned', plan };
    }
  }
}
