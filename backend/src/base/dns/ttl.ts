import { fail } from './fault.ts';

export const LEAST_TTL = 60;
export const MOST_TTL = 604_800;

export function requireTtl(ttl: number): number {
  if (Number.isInteger(ttl) && ttl >= LEAST_TTL && ttl <= MOST_TTL) return ttl;
  return fail('out_of_range', `The TTL must be from ${LEAST_TTL} to ${MOST_TTL} seconds.`, {}, 'ttl');
}

const SECONDS = new Map([
  ['', 1],
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);
const DURATION = /^(?:[0-9]{1,10}[smhdw])+$|^[0-9]{1,10}$/i;

/** The seconds of `3600`, `1h` or `1h30m` as zone files have them; null for what is no duration. */
export function readDuration(text: string): number | null {
  if (!DURATION.test(text)) return null;
  let seconds = 0;
  for (const [, digits, unit = ''] of text.toLowerCase().matchAll(/([0-9]+)([smhdw]?)/g)) {
    seconds += Number(digits) * (SECONDS.get(unit) ?? 1);
  }
  return seconds;
}
