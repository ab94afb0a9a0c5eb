import { Heap } from '../../../base/heap.ts';
import type { Amount } from '../../../base/money.ts';
import { type Instant, isBefore, later, type TermUnit, termEnd } from '../../../base/time.ts';

/** A service that is going to be renewed at the end of each term. */
export interface Renewing {
  readonly id: string;
  readonly product: string;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly anchorDay: number;
  /** Where the term begins that is paid for next; past, where a term has ended without it. */
  readonly termFrom: Instant;
  /** What the next term costs by today's prices, tax included. */
  readonly price: Amount;
  /** What later terms cost instead: a discount is used up, or a price that was announced held for one term. */
  readonly changes: readonly PriceChange[];
}

export interface PriceChange {
  /** How many terms come before it holds; more than of the change before. */
  readonly after: number;
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
  return services.reduce((sum, service) => sum + costOf(service, renewalsBefore(service, end)), 0n);
}

function costOf({ price, changes }: Renewing, terms: number): Amount {
  return [{ after: 0, price }, ...changes].reduce((sum, one, at, all) => {
    const until = Math.min(terms, all[at + 1]?.after ?? terms);
    return sum + one.price * BigInt(Math.max(0, until - one.after));
  }, 0n);
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
  for (const { service, from, price } of renewalsUntil(now.add({ hours: LOOK_AHEAD_DAYS * 24 }), services)) {
    // A term that should have begun already is paid for at once.
    if (price > left) return { service, at: later(from, now) };
    left -= price;
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
  for (const { service, price } of renewalsUntil(end, services)) {
    if (lapsed.has(service.id)) continue;
    if (price > left) {
      lapsed.add(service.id);
      continue;
    }
    left -= price;
    covered.add(service.id);
  }
  return covered;
}

/** One of a service's further terms; `nth`: how many come before it. */
interface Renewal {
  readonly service: Renewing;
  readonly nth: number;
  readonly from: Instant;
  readonly price: Amount;
}

/** The renewals that cost something, in the order that they come; at most 20,000. */
function* renewalsUntil(end: Instant, services: readonly Renewing[]): Generator<Renewal> {
  const due = new Heap(
    services.flatMap((service) => firstPaid(service) ?? []),
    ({ from }) => from.epochMilliseconds,
  );
  for (let count = 0; count < MOST_RENEWALS; count += 1) {
    const next = due.pop();
    if (next === undefined || !isBefore(next.from, end)) return;
    yield next;
    const { service, from, nth } = next;
    due.push(renewalOf(service, nth + 1, termEnd(from, service, service.anchorDay)));
  }
}

/** The first renewal that costs something; null: none does. */
function firstPaid(service: Renewing): Renewal | null {
  const { price, changes, duration, unit, anchorDay, termFrom } = service;
  if (price > 0n) return renewalOf(service, 0, termFrom);
  const free = changes.find((change) => change.price > 0n)?.after;
  if (free === undefined) return null;
  // In one step, as terms of hours that are free may be many.
  return renewalOf(service, free, termEnd(termFrom, { duration: duration * free, unit }, anchorDay));
}

function renewalOf(service: Renewing, nth: number, from: Instant): Renewal {
  const { price } = service.changes.findLast(({ after }) => after <= nth) ?? service;
  return { service, nth, from, price };
}
