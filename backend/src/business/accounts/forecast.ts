import { Heap } from '../../base/heap.ts';
import type { Amount } from '../../base/money.ts';
import { type Instant, later, type TermUnit, termEnd } from '../../base/time.ts';

/** A service that is going to be renewed at the end of each term. */
export interface Renewing {
  readonly id: string;
  readonly product: string;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly anchorDay: number;
  readonly expireAt: Instant;
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

const DAY_MS = 24 * 3600 * 1000;
const HOUR_MS = 3600 * 1000;
const LOOK_AHEAD_DAYS = 366;
const MOST_RENEWALS = 20_000;

/**
 * What will have to be paid if nothing changes: the services renew at today's prices, and no money comes in.
 * Looks a year ahead, and at 20,000 renewals, for the moment that the money runs out.
 */
export function forecast(available: Amount, services: readonly Renewing[], now: Instant): Forecast {
  const month = now.add({ hours: 30 * 24 });
  const next30Days = services.reduce(
    (sum, service) => sum + service.price * BigInt(renewalsBefore(service, now, month)),
    0n,
  );
  const uncovered = firstUncovered(available, services, now);
  return {
    next30Days,
    coveredUntil: uncovered?.at ?? null,
    firstUncovered: uncovered?.service ?? null,
  };
}

/** A term that has ended already is renewed at once. */
function firstRenewal(service: Renewing, now: Instant): Instant {
  return later(service.expireAt, now);
}

function renewalsBefore(service: Renewing, now: Instant, end: Instant): number {
  let at = firstRenewal(service, now);
  if (service.unit === 'hour') {
    const left = end.epochMilliseconds - at.epochMilliseconds;
    return Math.max(0, Math.ceil(left / (service.duration * HOUR_MS)));
  }
  let count = 0;
  for (; Temporal.Instant.compare(at, end) < 0; count += 1) at = termEnd(at, service, service.anchorDay);
  return count;
}

function firstUncovered(
  available: Amount,
  services: readonly Renewing[],
  now: Instant,
): { at: Instant; service: Renewing } | null {
  const horizon = now.epochMilliseconds + LOOK_AHEAD_DAYS * DAY_MS;
  const due = new Heap(
    services
      .filter((service) => service.price > 0n)
      .map((service) => ({ service, at: firstRenewal(service, now) })),
    ({ at }) => at.epochMilliseconds,
  );
  let left = available;
  for (let count = 0; count < MOST_RENEWALS; count += 1) {
    const next = due.pop();
    if (next === undefined || next.at.epochMilliseconds >= horizon) return null;
    if (next.service.price > left) return next;
    left -= next.service.price;
    due.push({ service: next.service, at: termEnd(next.at, next.service, next.service.anchorDay) });
  }
  return null;
}
