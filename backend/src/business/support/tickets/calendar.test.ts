import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Support } from '../../core/catalog/schema/support.ts';
import { businessDeadline, type Calendar, calendarOf } from './calendar.ts';

const at = (text: string) => Temporal.Instant.from(text);
const support = Support.parse({ timezone: 'Europe/Berlin', holidays: ['12-25', '12-26', '2027-05-06'] });
const office = calendarOf(support, null, 'UTC');
const due = (start: string, minutes: number, calendar = office) =>
  businessDeadline(at(start), minutes, calendar)?.toString() ?? null;

test('within a working day it is the same day; what does not fit is done the next', () => {
  assert.equal(due('2027-01-13T09:00:00Z', 60), '2027-01-13T10:00:00Z');
  // Wednesday 16:30 in Berlin: half an hour that day, half an hour the next.
  assert.equal(due('2027-01-13T15:30:00Z', 60), '2027-01-14T08:30:00Z');
  assert.equal(due('2027-01-13T15:30:00.250Z', 30), '2027-01-14T08:00:00.25Z');
});

test('what comes at night, on a weekend or on a holiday waits for the next opening', () => {
  assert.equal(due('2027-01-13T02:00:00Z', 60), '2027-01-13T09:00:00Z');
  assert.equal(due('2027-01-16T12:00:00Z', 60), '2027-01-18T09:00:00Z'); // a Saturday
  assert.equal(due('2027-05-06T08:00:00Z', 60), '2027-05-07T08:00:00Z'); // that year's holiday
  assert.equal(due('2026-12-24T15:30:00Z', 60), '2026-12-28T08:30:00Z'); // every year's, and a weekend
});

test('a week over a change of the clock has the same hours of the wall clock', () => {
  // Friday 16:00 CET; the clock goes forward on Sunday; Monday 10:00 is CEST.
  assert.equal(due('2027-03-26T15:00:00Z', 120), '2027-03-29T08:00:00Z');
  // Friday 16:00 CEST; back on Sunday; Monday 10:00 is CET.
  assert.equal(due('2027-10-29T14:00:00Z', 120), '2027-11-01T09:00:00Z');
});

test('who works around the clock works 23 hours on one day and 25 on another', () => {
  const all = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['00:00-24:00']]),
  );
  const always = calendarOf(Support.parse({ timezone: 'Europe/Berlin', hours: all }), null, 'UTC');
  for (const start of ['2027-03-27T20:00:00Z', '2027-10-30T20:00:00Z', '2027-06-01T00:00:00Z'])
    assert.equal(due(start, 3000, always), at(start).add({ minutes: 3000 }).toString());
});

test('a department has its own hours, and may work on holidays', () => {
  const abuse = support.departments.find(({ name }) => name === 'abuse') ?? null;
  assert.equal(due('2026-12-25T03:00:00Z', 60, calendarOf(support, abuse, 'UTC')), '2026-12-25T04:00:00Z');
});

test('who never works never answers', () => {
  const never = calendarOf(Support.parse({ hours: {} }), null, 'UTC');
  assert.equal(due('2027-01-13T09:00:00Z', 1, never), null);
});

// The same by looking at every minute's wall clock: slow, and nothing to get wrong.
const NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
function byMinutes(start: Temporal.Instant, minutes: number, calendar: Calendar): string | null {
  let moment = start;
  for (let looked = 0, worked = 0; looked < 30 * 24 * 60; looked += 1) {
    const clock = moment.toZonedDateTimeISO(calendar.timeZone);
    const date = clock.toPlainDate().toString();
    const time = clock.toPlainTime().toString({ smallestUnit: 'minute' });
    const open =
      !calendar.holidays.has(date) &&
      !calendar.holidays.has(date.slice(5)) &&
      calendar.hours[NAMES[clock.dayOfWeek - 1] ?? 'mon'].some(
        (text) => text.slice(0, 5) <= time && time < text.slice(6),
      );
    moment = moment.add({ minutes: 1 });
    if (open) worked += 1;
    if (worked === minutes) return moment.toString();
  }
  return null;
}

const quarter = fc.integer({ min: 0, max: 96 });
const clock = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;
const openings = fc
  .uniqueArray(quarter, { minLength: 2, maxLength: 4 })
  .map((points) => points.sort((a, b) => a - b))
  .map((points) =>
    points.length < 4
      ? [`${clock(points[0] ?? 0)}-${clock(points[1] ?? 96)}`]
      : [0, 2].map((index) => `${clock(points[index] ?? 0)}-${clock(points[index + 1] ?? 96)}`),
  );
const hours = fc.record(
  Object.fromEntries(NAMES.map((day) => [day, fc.option(openings, { nil: [] as string[], freq: 2 })])),
);
// Places whose clocks change at midnight, by half an hour, or stand at odd offsets.
const zones = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'UTC',
);
// Around the weeks in which most clocks change.
const starts = fc
  .tuple(
    fc.constantFrom(
      '2027-03-11',
      '2027-03-25',
      '2027-04-01',
      '2027-04-28',
      '2027-09-02',
      '2027-10-28',
      '2027-11-04',
    ),
    fc.integer({ min: 0, max: 5 * 24 * 60 }),
  )
  .map(([day, minutes]) => at(`${day}T00:00:00Z`).add({ minutes }));

test('property: it is what counting every minute of the wall clock comes to', () => {
  fc.assert(
    fc.property(
      zones,
      hours,
      starts,
      fc.integer({ min: 1, max: 1500 }),
      fc.array(fc.integer({ min: 1, max: 28 }), { maxLength: 4 }),
      (timezone, open, start, minutes, days) => {
        const holidays = days.map(
          (day) => `2027-${start.toString().slice(5, 7)}-${String(day).padStart(2, '0')}`,
        );
        const calendar = calendarOf(Support.parse({ timezone, hours: open, holidays }), null, 'UTC');
        const expected = byMinutes(start, minutes, calendar);
        if (expected !== null) assert.equal(businessDeadline(start, minutes, calendar)?.toString(), expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('property: more time is due later, and what begins later is not due sooner', () => {
  fc.assert(
    fc.property(zones, starts, fc.integer({ min: 1, max: 5000 }), (timezone, start, minutes) => {
      const calendar = calendarOf(Support.parse({ timezone }), null, 'UTC');
      const one = businessDeadline(start, minutes, calendar);
      const more = businessDeadline(start, minutes + 1, calendar);
      const afterwards = businessDeadline(start.add({ minutes: 7 }), minutes, calendar);
      assert.ok(one && more && afterwards);
      assert.ok(Temporal.Instant.compare(one, more) < 0);
      assert.ok(Temporal.Instant.compare(one, afterwards) <= 0);
      assert.ok(one.since(start).total('minutes') >= minutes);
    }),
    { numRuns: 100 },
  );
});
