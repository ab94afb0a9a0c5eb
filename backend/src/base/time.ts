export type Instant = Temporal.Instant;

export type TermUnit = 'hour' | 'month' | 'year';

/** A length of service, counted on the calendar in UTC. */
export interface Term {
  readonly duration: number;
  readonly unit: TermUnit;
}

/** The wire's timestamp: `YYYY-MM-DD HH:MM:SS`, UTC, cut to the second. */
export function wireTime(instant: Instant): string {
  const text = instant.toString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

export function wireTimeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : wireTime(instant);
}

/** Reads the wire's timestamp; null when the text is none, or no moment (30 February), or of the year 0, which SQL lacks. */
export function parseWireTime(text: string): Instant | null {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return null;
  try {
    const instant = Temporal.Instant.from(`${text.replace(' ', 'T')}Z`);
    return wireTime(instant) === text ? instant : null;
  } catch {
    return null;
  }
}

/** Reads a time with its offset (RFC 3339 §5.6); null when the text is none, or no moment. */
export function parseRfc3339(text: string): Instant | null {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:[0-5]\d(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/.test(text))
    return null;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return null;
  }
}

/** The calendar day in UTC, `YYYY-MM-DD`. */
export function utcDay(instant: Instant): string {
  return instant.toString().slice(0, 10);
}

/** The day of the month (1..31) that a service's terms end on; see {@link termEnd}. */
export function anchorDay(start: Instant): number {
  return start.toZonedDateTimeISO('UTC').day;
}

/**
 * The end of a term that begins at `start`. Months and years are calendar months and years: a service that
 * began on the 31st ends on the last day of a shorter month and returns to the 31st after it, because the
 * anchor day is remembered instead of being read off the last end (31 January, 28 February, 31 March).
 */
export function termEnd(start: Instant, term: Term, anchor: number): Instant {
  // Orders of one batch begin at one moment and mostly ask for the same term.
  const { start: knownStart, duration, unit, anchor: knownAnchor, end } = lastTerm;
  if (start === knownStart && term.duration === duration && term.unit === unit && anchor === knownAnchor) {
    return end;
  }
  lastTerm = { start, ...term, anchor, end: computeTermEnd(start, term, anchor) };
  return lastTerm.end;
}

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);
let lastTerm = { start: EPOCH, duration: 0, unit: 'hour' as TermUnit, anchor: 1, end: EPOCH };

function computeTermEnd(start: Instant, term: Term, anchor: number): Instant {
  if (term.unit === 'hour') return start.add({ hours: term.duration });
  const from = start.toZonedDateTimeISO('UTC');
  const month = from.with({ day: 1 }).add({ [`${term.unit}s`]: term.duration });
  return month.with({ day: Math.min(anchor, month.daysInMonth) }).toInstant();
}

/** Where a term began that ends at `end`; see {@link termEnd}. */
export function termStart(end: Instant, { duration, unit }: Term, anchor: number): Instant {
  return computeTermEnd(end, { duration: -duration, unit }, anchor);
}

/** The anchor of a term that begins at `start`: the one it had, unless terms of hours have moved it off that day. */
export function keptAnchor(start: Instant, anchor: number): number {
  const { day, daysInMonth } = start.toZonedDateTimeISO('UTC');
  return day === Math.min(anchor, daysInMonth) ? anchor : day;
}

export function later(a: Instant, b: Instant): Instant {
  return Temporal.Instant.compare(a, b) >= 0 ? a : b;
}

export function earlier(a: Instant, b: Instant): Instant {
  return isBefore(a, b) ? a : b;
}

export function isBefore(a: Instant, b: Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
