import { Heap } from '../../base/heap.ts';
import type { Amount } from '../../base/money.ts';
import { type Instant, isBefore, later, type TermUnit, termEnd } from '../../base/time.ts';

/** A service that is going to be renewed at the end of each term. */
export interface Renewing {
  readonly id: string;
  readonly product: string;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly anchorDay: number;
  /** Where the term begins that is paid for next; past, where a term has ended without it. */
  readonly termFrom: Instant;
  /** What a further term costs by today's prices, tax included. */
  readonly price: Amount;
}

export interface Forecast {
  /** What renewals cost in the 30 days from now. */
  readonly next30Days: Amount;
  /** When the first renewal comes that the money does not cover; null: none within what is looked at. */
  readonly coveredUntil: Instant | null;
  readonly firstUncovered: Renewing | null;
}

const HOUR_MS = 3600 * 1000;
const LOOK_AHEAD_DAYS = 366;
const MOST_RENEWALS = 20_000;

/**
 * What will have to be paid if nothing changes: the services renew at today's prices, and no money comes in.
 * Looks a year ahead, and at 20,000 renewals, for the moment that the money runs out.
 */
export function forecast(available: Amount, services: readonly Renewing[], now: Instant): Forecast {
  const next30Days = renewalsCost(services, now.add({ hours: 30 * 24 }));
  const uncovered = firstUncovered(available, services, now);
  return {
    next30Days,
    coveredUntil: uncovered?.at ?? null,
    firstUncovered: uncovered?.service ?? null,
  };
}

/** What all renewals together cost whose terms begin before `end`. */
export function renewalsCost(services: readonly Renewing[], end: Instant): Amount {
  return services.reduce((sum, service) => sum + service.price * BigInt(renewalsBefore(service, end)), 0n);
}

function renewalsBefore(service: Renewing, end: Instant): number {
  if (service.unit === 'hour') {
    const left = end.epochMilliseconds - service.termFrom.epochMilliseconds;
    return Math.max(0, Math.ceil(left / (service.duration * HOUR_MS)));
  }
  let count = 0;
  let from = service.termFrom;
  for (; isBefore(from, end); count += 1) from = termEnd(from, service, service.anchorDay);
  return count;
}

function firstUncovered(
  available: Amount,
  services: readonly Renewing[],
  now: Instant,
): { at: Instant; service: Renewing } | null {
  let left = available;
  for (const { service, from } of renewalsUntil(now.add({ hours: LOOK_AHEAD_DAYS * 24 }), services)) {
    // A term that should have begun already is paid for at once.
    if (service.price > left) return { service, at: later(from, now) };
    left -= service.price;
  }
  return null;
}

/**
 * The services whose next renewal the money covers, if each is renewed when its time comes and left out when the
 * money does not reach for it. Of those that are due before `end`.
 */
export function coveredUntil(
  end: Instant,
  available: Amount,
  services: readonly Renewing[],
): ReadonlySet<string> {
  const covered = new Set(services.filter(({ price }) => price <= 0n).map(({ id }) => id));
  const lapsed = new Set<string>();
  let left = available;
  for (const { service } of renewalsUntil(end, services)) {
    if (lapsed.has(service.id)) continue;
    if (service.price > left) {
      lapsed.add(service.id);
      continue;
    }
    left -= service.price;
    covered.add(service.id);
  }
  return covered;
}

/** The renewals that cost something, in the order that they come; at most 20,000. */
function* renewalsUntil(
  end: Instant,
  services: readonly Renewing[],
): Generator<{ readonly service: Renewing; readonly from: Instant }> {
  const due = new Heap(
    services.filter(({ price }) => price > 0n).map((service) => ({ service, from: service.termFrom })),
    ({ from }) => from.epochMilliseconds,
  );
  for (let count = 0; count < MOST_RENEWALS; count += 1) {
    const next = due.pop();
    if (next === undefined || !isBefore(next.from, end)) return;
    yield next;
    const { service, from } = next;
    due.push({ service, from: termEnd(from, service, service.anchorDay) });
  }
}
