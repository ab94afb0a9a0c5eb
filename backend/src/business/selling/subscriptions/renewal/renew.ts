import type { Amount } from '../../../../base/money.ts';
import { anchorDay, type Instant, keptAnchor, later, type TermUnit } from '../../../../base/time.ts';
import { type Bulk, bulkUpdate } from '../../../../db/changes.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import type { Product } from '../../../core/catalog/schema/product.ts';
import type { CatalogVersion } from '../../../core/catalog/versions.ts';
import type { Order } from '../../orders/order.ts';
import { type RecurringDiscountColumns, recurringDiscountColumns } from '../../orders/recurring-discount.ts';
import { lifecycleOf } from '../product.ts';
import { renewalStart, type ServiceState } from '../service.ts';
import { nextDue } from './deadlines.ts';

/** What renewing a service needs to know of it, whatever the product; its row is locked. */
export interface Renewable extends RecurringDiscountColumns {
  readonly id: string;
  readonly account_id: string;
  /** What was sold, as the catalogue names it. */
  readonly item: string;
  readonly state: ServiceState;
  readonly auto_renew: boolean;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly version: number;
  /** The reasons that it is suspended for. */
  readonly suspensions: readonly string[];
}

/** Where the next term of a service begins, and the day of the month that its terms end on from then on. */
export function nextTerm(
  product: Product,
  service: Pick<Renewable, 'expire_at' | 'state' | 'anchor_day'>,
  now: Instant,
): { readonly from: Instant; readonly anchorDay: number } {
  const from = termStart(product, service, now);
  // After a pause the service starts afresh, and so does the day that its terms end on.
  const anchor = from === service.expire_at ? keptAnchor(from, service.anchor_day) : anchorDay(from);
  return { from, anchorDay: anchor };
}

function termStart(product: Product, service: Pick<Renewable, 'expire_at' | 'state'>, now: Instant): Instant {
  // At its registry a domain's terms follow one another without a gap, also while we hold it back.
  if (product === 'domain') return service.expire_at;
  // A license is off from its end on (verdictOf), whatever its state is called: it has no grace.
  return product === 'license' ? later(service.expire_at, now) : renewalStart(service, now);
}

export interface Renewal {
  readonly order: {
    readonly price: Pick<Order['price'], 'gross' | 'periodTo'>;
    readonly standing: Order['standing'];
  };
  readonly duration: number;
  readonly unit: TermUnit;
  readonly anchorDay: number;
  readonly autoRenew: boolean;
}

/**
 * Adds a paid renewal: the new end, the state that payment alone can restore (rule E1), what happens next, and the
 * event. Whether the service was off, and is to be switched on, is seen by comparing the states.
 */
export function renewService<T extends Renewable>(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  product: Product,
  service: T,
  { order, duration, unit, anchorDay, autoRenew }: Renewal,
): T {
  const others = service.suspensions.filter((reason) => reason !== 'unpaid');
  if (service.suspensions.includes('unpaid')) {
    uow.changes.add(unpaidLifted, { service_id: service.id, reason: 'unpaid' });
  }
  const renewed: T = {
    ...service,
    ...recurringDiscountColumns(order.standing),
    state: others.length > 0 ? 'suspended' : 'active',
    suspensions: others,
    auto_renew: autoRenew,
    duration,
    duration_unit: unit,
    anchor_day: anchorDay,
    expire_at: order.price.periodTo,
    version: service.version + 1,
    announced_version: null,
  };
  uow.changes.add(serviceRenew, {
    id: renewed.id,
    state: renewed.state,
    auto_renew: renewed.auto_renew,
    duration: renewed.duration,
    duration_unit: renewed.duration_unit,
    anchor_day: renewed.anchor_day,
    expire_at: renewed.expire_at,
    ...recurringDiscountColumns(order.standing),
    term_gross: order.price.gross,
    version: renewed.version,
    due_at: nextDue(
      { ...renewed, ends: false, delete_at: null },
      lifecycleOf(catalog, { product, item: service.item }),
      uow.now,
    ),
  });
  emit(uow, lockedAccount(uow, service.account_id), {
    type: `${product}.renewed`,
    resource: { type: product, id: service.id },
    body: { previous_expire_at: service.expire_at, expire_at: renewed.expire_at },
  });
  return renewed;
}

/** A paid renewal: the new end, nothing announced for the next yet, and not to be deleted. */
const serviceRenew = bulkUpdate<
  RecurringDiscountColumns & {
    id: string;
    state: ServiceState;
    auto_renew: boolean;
    duration: number;
    duration_unit: string;
    anchor_day: number;
    expire_at: Instant;
    term_gross: Amount;
    version: number;
    due_at: Instant | null;
  }
>(
  'services',
  'renew',
  {
    id: 'uuid',
    state: 'text',
    auto_renew: 'boolean',
    duration: 'integer',
    duration_unit: 'text',
    anchor_day: 'smallint',
    expire_at: 'timestamptz',
    term_gross: 'bigint',
    version: 'integer',
    due_at: 'timestamptz',
    discount_code: 'text',
    discount_percent: 'integer',
    discount_left: 'integer',
  },
  `state = n.state, auto_renew = n.auto_renew, duration = n.duration, duration_unit = n.duration_unit,
   anchor_day = n.anchor_day, expire_at = n.expire_at, term_gross = n.term_gross, due_at = n.due_at,
   discount_code = n.discount_code, discount_percent = n.discount_percent, discount_left = n.discount_left,
   announced_version = NULL, delete_at = NULL, version = n.version`,
);

/** Payment lifts the suspension for non-payment and no other (rule E1). */
const unpaidLifted: Bulk<{ service_id: string; reason: string }> = {
  name: '-suspensions',
  columns: { service_id: 'uuid', reason: 'text' },
  sql: (rows) =>
    `DELETE FROM suspensions USING ${rows} n WHERE suspensions.service_id = n.service_id AND suspensions.reason = n.reason`,
  key: (row) => `${row.service_id} ${row.reason}`,
};
