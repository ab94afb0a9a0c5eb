import type { Instant } from '../../../../base/time.ts';

const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i;

/**
 * XML Schema's dateTime; without a zone it is UTC, as RFC 5730 §1.1 wants all of them. What is finer than a nanosecond
 * is left out. null: no moment.
 */
export function instantOf(text: string): Instant | null {
  const [, local, fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (local === undefined) return null;
  try {
    return Temporal.Instant.from(local + fraction.slice(0, 10) + zone);
  } catch {
    return null;
  }
}

/** The moment of an element that may be absent. Throws where it is there and cannot be read: an end is not no end. */
export function readInstant(text: string | null): Instant | null {
  if (text === null) return null;
  const instant = instantOf(text);
  if (instant === null) throw new Error('a date cannot be read');
  return instant;
}

export function dateTime(instant: Instant): string {
  return instant.toString();
}

/** XML Schema's date, in UTC. */
export function dateOf(instant: Instant): string {
  return instant.toString().slice(0, 10);
}
