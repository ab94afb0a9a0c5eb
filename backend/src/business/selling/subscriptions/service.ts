import type { Amount } from '../../../base/money.ts';
import { anchorDay, type Instant, type TermUnit, termEnd } from '../../../base/time.ts';
import { bulkInsert, bulkUpdate } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Locale } from '../../../operation.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Product } from '../../core/catalog/schema/product.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import type { Order } from '../orders/order.ts';
import { type RecurringDiscountColumns, recurringDiscountColumns } from '../orders/recurring-discount.ts';
import { lifecycleOf } from './product.ts';
import { nextDue } from './renewal/deadlines.ts';

export type ServiceState =
  | 'pending'
  | 'provisioning'
  | 'active'
  | 'suspended'
  | 'cancel_scheduled'
  | 'expired'
  | 'cancelled'
  | 'deleted'
  | 'error';

const TEXTS: Readonly<Record<ServiceState, Readonly<Record<Locale, string>>>> = {
  pending: { en: 'Pending', de: 'In Vorbereitung' },
  provisioning: { en: 'Being set up', de: 'Wird eingerichtet' },
  active: { en: 'Active', de: 'Aktiv' },
  suspended: { en: 'Suspended', de: 'Gesperrt' },
  cancel_scheduled: { en: 'Cancelled to the end of the term', de: 'Zum Laufzeitende gekündigt' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
  cancelled: { en: 'Cancelled', de: 'Gekündigt' },
  deleted: { en: 'Deleted', de: 'Gelöscht' },
  error: { en: 'Error', de: 'Fehler' },
};

/** A state's display text. */
export function stateText(state: ServiceState, locale: Locale): string {
  return TEXTS[state][locale];
}

/** SQL: whether a service `s` ends with its term, by its customer's wish; one that is off remembers it there. */
export const ENDS = `s.state = 'cancel_scheduled' OR EXISTS (
  SELECT FROM suspensions p WHERE p.service_id = s.id AND p.resumes_as = 'cancel_scheduled')`;

/** In which states a service may be renewed; an expired one comes back, an ended one does not. */
export const RENEWABLE: readonly ServiceState[] = ['active', 'suspended', 'expired'];

/** In which what was ordered is not there yet, and its money is on hold. */
export const BEING_MADE: readonly ServiceState[] = ['pending', 'provisioning'];

/**
 * Where a renewal's term begins: at the end of the paid term, also when that lies in the past but the service
 * kept running (grace); from now when it was off (rule B8).
 */
export function renewalStart(service: { expire_at: Instant; state: ServiceState }, now: Instant): Instant {
  const off = service.state === 'expired' || service.state === 'suspended';
  return off && Temporal.Instant.compare(service.expire_at, now) < 0 ? now : service.expire_at;
}

/** A service that was just ordered. */
export interface ServiceDraft {
  readonly id: string;
  readonly accountId: string;
  readonly product: Product;
  /** What was sold, as the catalogue names it. */
  readonly item: string;
  readonly name: string;
  readonly customName: string | null;
  readonly state: 'pending' | 'active';
  readonly autoRenew: boolean;
  readonly duration: number;
  readonly unit: TermUnit;
  /** The order that pays for its first term. */
  readonly order: Pick<Order, 'price' | 'standing'>;
}

/** Adds a service whose first term begins now. */
export function addService(uow: UnitOfWork, catalog: CatalogVersion, draft: ServiceDraft): void {
  const { price, standing } = draft.order;
  const term = {
    state: draft.state,
    auto_renew: draft.autoRenew,
    duration: draft.duration,
    duration_unit: draft.unit,
    expire_at: price.periodTo,
  };
  uow.changes.add(serviceInsert, {
    ...term,
    ...recurringDiscountColumns(standing),
    id: draft.id,
    account_id: draft.accountId,
    product: draft.product,
    item: draft.item,
    name: draft.name,
    custom_name: draft.customName,
    anchor_day: anchorDay(uow.now),
    term_gross: price.gross,
    due_at: nextDue({ ...term, ends: false, delete_at: null }, lifecycleOf(catalog, draft), uow.now),
    created_at: uow.now,
  });
}

const serviceInsert = bulkInsert<
  RecurringDiscountColumns & {
    id: string;
    account_id: string;
    product: string;
    item: string;
    name: string;
    custom_name: string | null;
    state: ServiceState;
    auto_renew: boolean;
    duration: number;
    duration_unit: string;
    anchor_day: number;
    expire_at: Instant;
    term_gross: Amount;
    due_at: Instant | null;
    created_at: Instant;
  }
>('services', {
  id: 'uuid',
  account_id: 'uuid',
  product: 'text',
  item: 'text',
  name: 'text',
  custom_name: 'text',
  state: 'text',
  auto_renew: 'boolean',
  duration: 'integer',
  duration_unit: 'text',
  anchor_day: 'smallint',
  expire_at: 'timestamptz',
  term_gross: 'bigint',
  due_at: 'timestamptz',
  discount_code: 'text',
  discount_percent: 'integer',
  discount_left: 'integer',
  created_at: 'timestamptz',
});

/**
 * What was ordered is there: its first term begins now, not while it was waited for. It ends when its back end says, if
 * that says anything.
 */
export async function beginFirstTerm(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  service: {
    readonly id: string;
    readonly product: Product;
    readonly item: string;
    readonly orderId: string;
    readonly auto_renew: boolean;
    readonly duration: number;
    readonly duration_unit: TermUnit;
  },
  endsAt?: Instant,
): Promise<void> {
  const { id, orderId, duration, duration_unit: unit } = service;
  const anchor = anchorDay(endsAt ?? uow.now);
  const expire_at = endsAt ?? termEnd(uow.now, { duration, unit }, anchor);
  const due = { ...service, state: 'active', ends: false, delete_at: null, expire_at } as const;
  const due_at = nextDue(due, lifecycleOf(catalog, service), uow.now);
  uow.changes.add(serviceBegun, { id, anchor_day: anchor, expire_at, due_at });
  // A statement of its own: the changes write the order's row too, and one statement writes a row once.
  await tx.run(firstTerm, [orderId, uow.now, expire_at]);
}

const firstTerm = statement<object>(
  'begin_first_term',
  'UPDATE orders SET period_from = $2, period_to = $3 WHERE id = $1',
);
const serviceBegun = bulkUpdate<{
  id: string;
  anchor_day: number;
  expire_at: Instant;
  due_at: Instant | null;
}>(
  'services',
  'begun',
  { id: 'uuid', anchor_day: 'smallint', expire_at: 'timestamptz', due_at: 'timestamptz' },
  `state = 'active', anchor_day = n.anchor_day, expire_at = n.expire_at, due_at = n.due_at,
   version = services.version + 1`,
);

/** The service's state after its order was delivered or failed; an ended service is never renewed. */
export const serviceOutcome = bulkUpdate<{ id: string; state: ServiceState; ended_at: Instant | null }>(
  'services',
  'outcome',
  { id: 'uuid', state: 'text', ended_at: 'timestamptz' },
  'state = n.state, ended_at = n.ended_at, version = services.version + 1',
);
