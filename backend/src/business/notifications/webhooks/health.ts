import { type Instant, isBefore } from '../../../base/time.ts';

const SECONDS_UNTIL_NEXT = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200];
/** An event is given up so long after it was first to be sent. */
const GIVEN_UP_HOURS = 72;
/** So many attempts the line waits for an event; then it steps aside. */
const ATTEMPTS_IN_LINE = 3;
/** So many events that fail in one turn, with none accepted, are the receiver's fault and not theirs. */
const MISSES_UNTIL_REST = 3;
const LONGEST_REST_MINUTES = 30;
const AWAY_MINUTES = 15;
const DISABLED_AFTER_HOURS = 7 * 24;

/** How a webhook's receiver is doing, as far as attempts have shown. */
export interface WebhookHealth {
  /** Since when nothing was accepted any more; null: the last attempt was. */
  readonly failingSince: Instant | null;
  /** Rests in a row that were given to the receiver. */
  readonly pauses: number;
  /** Whether those behind an event that is not accepted wait for it. */
  readonly holdsLine: boolean;
  /** Until then nothing is sent; null: it goes on. */
  readonly quietUntil: Instant | null;
}

/** A receiver that accepts, or that nothing is known of. */
export const HEALTHY: WebhookHealth = { failingSince: null, pauses: 0, holdsLine: true, quietUntil: null };

/** When an event is tried again after so many attempts; null: it is given up. */
export function nextAttempt(attempts: number, createdAt: Instant, now: Instant): Instant | null {
  const end = createdAt.add({ hours: GIVEN_UP_HOURS });
  if (!isBefore(now, end)) return null;
  const next = now.add({ seconds: secondsAfter(attempts) });
  return isBefore(next, end) ? next : end;
}

function secondsAfter(attempts: number): number {
  return SECONDS_UNTIL_NEXT[attempts - 1] ?? SECONDS_UNTIL_NEXT.at(-1) ?? 0;
}

/**
 * The standing after an event was not accepted. `attempts`: of this event, this one included. `misses`: events that
 * failed in this turn since one was accepted, this one included.
 *
 * The line waits for the event, so that the order stays, but only for a moment, since it may be the one event that
 * the receiver cannot take; and only if the events before it fared better. When several fail in a row, the receiver
 * is what fails, as it seems: it is given a rest, longer each time. Afterwards those are tried first that were tried
 * least, so that a few events that are never taken cannot keep all others from being sent.
 */
export function afterFailure(
  before: WebhookHealth,
  { attempts, misses }: { readonly attempts: number; readonly misses: number },
  now: Instant,
): WebhookHealth {
  const failingSince = before.failingSince ?? now;
  const holdsLine = before.holdsLine && attempts < ATTEMPTS_IN_LINE;
  if (holdsLine) {
    const quietUntil = now.add({ seconds: secondsAfter(attempts) });
    return { failingSince, pauses: before.pauses, holdsLine, quietUntil };
  }
  if (misses < MISSES_UNTIL_REST) return { failingSince, pauses: before.pauses, holdsLine, quietUntil: null };
  const minutes = Math.min(2 ** before.pauses, LONGEST_REST_MINUTES);
  return { failingSince, pauses: before.pauses + 1, holdsLine, quietUntil: now.add({ minutes }) };
}

/**
 * Whether an event that is accepted now shows that the receiver is back: then what waits need not wait longer. It was
 * silent for a while; or it was not to be asked at all, and a test has shown it.
 */
export function wasAway({ failingSince, quietUntil }: WebhookHealth, now: Instant): boolean {
  if (quietUntil !== null) return true;
  return failingSince !== null && !isBefore(now, failingSince.add({ minutes: AWAY_MINUTES }));
}

/** Whether events are given up by now without one that was accepted since. */
export function isFailing(failingSince: Instant | null, now: Instant): boolean {
  return failingSince !== null && !isBefore(now, failingSince.add({ hours: GIVEN_UP_HOURS }));
}

/**
 * Whether to give up on the receiver: nothing was accepted for seven days, and it still fails: an event has stepped
 * aside, or several have failed in a row. One failure after a quiet week is not enough.
 */
export function isHopeless({ failingSince, pauses }: WebhookHealth, attempts: number, now: Instant): boolean {
  if (failingSince === null || (attempts < ATTEMPTS_IN_LINE && pauses === 0)) return false;
  return !isBefore(now, failingSince.add({ hours: DISABLED_AFTER_HOURS }));
}
