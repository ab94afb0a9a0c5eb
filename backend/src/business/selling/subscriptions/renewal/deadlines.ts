import { type Instant, isBefore, later, type TermUnit } from '../../../../base/time.ts';
import type { ProductLifecycle } from '../../../core/catalog/schema/life.ts';
import type { ServiceLifecycle } from '../product.ts';
import type { ServiceState } from '../service.ts';

/** What the calendar of a service's life depends on. */
export interface Living {
  readonly state: ServiceState;
  readonly auto_renew: boolean;
  /** Whether it ends with its term by the customer's wish; also while it is suspended. */
  readonly ends: boolean;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly expire_at: Instant;
  /** When what is off is deleted; null while it is on. */
  readonly delete_at: Instant | null;
}

/**
 * Whether a service was switched off because its time was over, and is kept until it is deleted. One that is suspended
 * for another reason while its term runs is not off in this sense.
 */
export function isOff(service: Pick<Living, 'state' | 'delete_at'>): boolean {
  return service.delete_at !== null && service.state !== 'active';
}

/** What is sold by the hour is renewed so long before its end, and without money tried again as often. */
const SHORT_STEP = { minutes: 10 };
const RETRY = { hours: 6 };
const LEAST_DAYS: Readonly<Record<TermUnit, number>> = { hour: 0, month: 28, year: 365 };

const before = (instant: Instant, days: number): Instant => instant.subtract({ hours: days * 24 });
export const daysAfter = (instant: Instant, days: number): Instant => instant.add({ hours: days * 24 });

/** So many days before the end a notice is given, the earliest first: those of which the term is long enough. */
export function noticeDays(service: Living, life: ProductLifecycle): readonly number[] {
  const termDays = service.duration * LEAST_DAYS[service.duration_unit];
  return life.notices.filter((days) => termDays > 2 * days).toSorted((a, b) => b - a);
}

/** When the notice of so many days is due. */
export function noticeAt(service: Living, days: number): Instant {
  return before(service.expire_at, days);
}

/** From when on a service that renews itself is renewed. */
export function renewAt(service: Living, life: ProductLifecycle): Instant {
  if (service.duration_unit === 'hour') return service.expire_at.subtract(SHORT_STEP);
  return before(service.expire_at, life.renew_days);
}

/** When a service that was not renewed is switched off. Days of grace would be more than all that an hour paid for. */
export function switchOffAt(service: Living, life: ProductLifecycle): Instant {
  if (service.duration_unit === 'hour') return service.expire_at;
  return daysAfter(service.expire_at, life.grace_days);
}

/** When a service ends that was cancelled to the end of its term: then, or before its registry begins another. */
export function endAt(service: Pick<Living, 'expire_at'>, life: ServiceLifecycle): Instant {
  return daysAfter(service.expire_at, Math.min(0, life.delete_by_days ?? 0));
}

/** When a service that ends at `ended` is deleted. */
export function deletionAt(
  service: Pick<Living, 'expire_at'>,
  life: ServiceLifecycle,
  ended: Instant,
): Instant {
  const kept = daysAfter(ended, life.keep_days);
  if (life.delete_by_days === undefined) return kept;
  const latest = later(ended, daysAfter(service.expire_at, life.delete_by_days));
  return isBefore(latest, kept) ? latest : kept;
}

/** When a renewal that could not be paid is tried again, unless money comes in before. */
export function retryAt(service: Living, now: Instant): Instant {
  return now.add(service.duration_unit === 'hour' ? SHORT_STEP : RETRY);
}

/**
 * When something has to happen by itself next, after `now`, given that everything due until now was done; null:
 * never. A moment that has passed is of no interest, except a renewal that is still to be made.
 */
export function nextDue(service: Living, life: ServiceLifecycle, now: Instant): Instant | null {
  const { state, delete_at } = service;
  if (state === 'deleted' || state === 'error') return null;
  if (state === 'cancelled' || state === 'expired') return delete_at;
  if (service.ends) return endAt(service, life);
  // Off for want of money: tried again until it is deleted.
  if (isOff(service) && delete_at !== null)
    return service.auto_renew ? earliest([retryAt(service, now), delete_at]) : delete_at;
  const renewal = renewAt(service, life);
  return earliest([
    ...noticeDays(service, life)
      .map((days) => noticeAt(service, days))
      .filter((at) => isBefore(now, at)),
    ...(service.auto_renew ? [isBefore(now, renewal) ? renewal : retryAt(service, now)] : []),
    switchOffAt(service, life),
  ]);
}

function earliest(instants: readonly Instant[]): Instant | null {
  return instants.reduce<Instant | null>(
    (first, next) => (first === null || isBefore(next, first) ? next : first),
    null,
  );
}
