import type { Instant } from '../../base/time.ts';

const HALF = 2 ** 31;

/**
 * A new zone begins at the seconds since 1970 and counts up with each change: made again after it was removed, it
 * begins above what secondaries may still remember, as long as it changes less than once a second in the long run.
 */
export function firstSerial(now: Instant): number {
  return Math.floor(now.epochMilliseconds / 1000) % 2 ** 32;
}

/** Whether a serial number is another one or a later one (RFC 1982). */
export function isAtLeast(serial: number, other: number): boolean {
  return (serial - other + 2 ** 32) % 2 ** 32 < HALF;
}
