import type { Instant } from '../../../base/time.ts';
import { type Department, type Hours, type Support, WEEKDAYS } from '../../core/catalog/schema/support.ts';

/** When somebody works: by the wall clock of one place. */
export interface Calendar {
  readonly timeZone: string;
  readonly hours: Hours;
  /** `YYYY-MM-DD`, or `MM-DD` for every year. */
  readonly holidays: ReadonlySet<string>;
}

/** The calendar of a department. `home`: the zone where nothing else is said. */
export function calendarOf(support: Support, department: Department | null, home: string): Calendar {
  return {
    timeZone: support.timezone ?? home,
    hours: department?.hours ?? support.hours,
    holidays: new Set(department?.holidays === false ? [] : support.holidays),
  };
}

/** A stretch of time, the end not part of it; milliseconds since 1970. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

// Longer than any promise takes when one hour a week is worked.
const MOST_DAYS = 366 * 12;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * The moment by which so many minutes of business time have passed since `start`: nights, weekends and holidays do
 * not count, and an hour that a change of the clock skips or repeats counts as often as it is there. null: nobody
 * ever works that long.
 */
export function businessDeadline(start: Instant, minutes: number, calendar: Calendar): Instant | null {
  const begun = start.epochMilliseconds;
  let left = minutes * MINUTE_MS;
  let day = start.toZonedDateTimeISO(calendar.timeZone).toPlainDate();
  for (let passed = 0; passed < MOST_DAYS; passed += 1) {
    for (const { from, to } of openStretches(day, calendar)) {
      const opened = Math.max(from, begun);
      if (to <= opened) continue;
      if (left <= to - opened) return Temporal.Instant.fromEpochMilliseconds(opened + left);
      left -= to - opened;
    }
    day = day.add({ days: 1 });
  }
  return null;
}

/** When it is open on one day, in order. */
function openStretches(day: Temporal.PlainDate, { timeZone, hours, holidays }: Calendar): Stretch[] {
  const date = day.toString();
  if (holidays.has(date) || holidays.has(date.slice(5))) return [];
  const openings = hours[WEEKDAYS[day.dayOfWeek - 1] ?? 'mon'];
  if (openings.length === 0) return [];
  const wall = openings.map((text) => ({ from: minuteOf(text.slice(0, 5)), to: minuteOf(text.slice(6)) }));
  const stretches = constantOffsets(day, timeZone).flatMap(({ from, to, midnight }) =>
    wall.map((open) => ({
      from: Math.max(from, midnight + open.from * MINUTE_MS),
      to: Math.min(to, midnight + open.to * MINUTE_MS),
    })),
  );
  return stretches.filter((one) => one.from < one.to);
}

/** A day in parts in which the clock runs evenly; `midnight` is when it would have shown 00:00. */
function constantOffsets(day: Temporal.PlainDate, timeZone: string): (Stretch & { midnight: number })[] {
  const end = day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
  const zero = Date.UTC(day.year, day.month - 1, day.day);
  const parts = [];
  let at = day.toZonedDateTime(timeZone);
  // A day has at most a few changes of the clock: nearly always none.
  while (at.epochMilliseconds < end) {
    const midnight = zero - at.offsetNanoseconds / 1e6;
    const next = end - at.epochMilliseconds === DAY_MS ? null : at.getTimeZoneTransition('next');
    const to = next === null ? end : Math.min(end, next.epochMilliseconds);
    parts.push({ from: at.epochMilliseconds, to, midnight });
    if (next === null || to === end) break;
    at = next;
  }
  return parts;
}

function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
