import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anchorDay, parseRfc3339, parseWireTime, termEnd, wireTime } from './time.ts';

const at = (text: string) => Temporal.Instant.from(text);

test('a month after 31 January is the last day of February, and March returns to the 31st', () => {
  const january = at('2027-01-31T10:20:30Z');
  const anchor = anchorDay(january);
  const february = termEnd(january, { duration: 1, unit: 'month' }, anchor);
  assert.equal(wireTime(february), '2027-02-28 10:20:30');
  assert.equal(wireTime(termEnd(february, { duration: 1, unit: 'month' }, anchor)), '2027-03-31 10:20:30');
});

test('a year after 29 February ends on 28 February, and the next leap year returns to the 29th', () => {
  const start = at('2028-02-29T00:00:00Z');
  let end = start;
  const ends = [1, 2, 3, 4].map(() => {
    end = termEnd(end, { duration: 1, unit: 'year' }, 29);
    return wireTime(end).slice(0, 10);
  });
  assert.deepEqual(ends, ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']);
});

test('hours are exact and know no daylight saving', () => {
  const start = at('2027-03-28T00:30:00Z');
  assert.equal(wireTime(termEnd(start, { duration: 36, unit: 'hour' }, 28)), '2027-03-29 12:30:00');
});

const instants = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()));

test('property: twelve months one by one end where one year ends', () => {
  fc.assert(
    fc.property(instants, (start) => {
      const anchor = anchorDay(start);
      let end = start;
      for (let month = 0; month < 12; month += 1) end = termEnd(end, { duration: 1, unit: 'month' }, anchor);
      const year = termEnd(start, { duration: 1, unit: 'year' }, anchor);
      assert.equal(wireTime(end), wireTime(year));
    }),
  );
});

test('property: a term always ends after it began, and a longer one later', () => {
  const units = fc.constantFrom('hour' as const, 'month' as const, 'year' as const);
  fc.assert(
    fc.property(
      instants,
      units,
      fc.integer({ min: 1, max: 35 }),
      fc.integer({ min: 1, max: 31 }),
      (start, unit, n, anchor) => {
        const day = unit === 'hour' ? anchorDay(start) : Math.max(anchor, anchorDay(start));
        const end = termEnd(start, { duration: n, unit }, day);
        assert.ok(Temporal.Instant.compare(end, start) > 0);
        assert.ok(Temporal.Instant.compare(termEnd(start, { duration: n + 1, unit }, day), end) > 0);
      },
    ),
  );
});

test('a wire timestamp is read back as the second that it was, and what is no moment is not read', () => {
  assert.equal(parseWireTime('2028-02-29 23:59:59')?.toString(), '2028-02-29T23:59:59Z');
  for (const text of [
    '2027-02-29 00:00:00',
    '2027-01-01 24:00:00',
    '2027-01-01 00:00:60',
    '2027-01-01T00:00:00Z',
    '2027-01-01 00:00:00Z',
    '2027-01-01',
    '0000-00-00 00:00:00',
    '0000-01-01 00:00:00',
    '',
  ]) {
    assert.equal(parseWireTime(text), null, text);
  }
});

test('a time of RFC 3339 is read with its offset, and nothing else is', () => {
  const read = (text: string) => parseRfc3339(text)?.toString() ?? null;
  assert.equal(read('2027-02-01T00:00:00+01:00'), '2027-01-31T23:00:00Z');
  assert.equal(read('2027-01-31t23:00:00.25z'), '2027-01-31T23:00:00.25Z');
  for (const none of [
    '2027-02-30T00:00:00Z',
    '2027-01-31T23:00:60Z',
    '2027-01-31T23:00:00',
    '2027-01-31',
    '0000-01-01T00:00:00Z',
    '2027-01-31T23:00:00+99:00',
    '2027-01-31T23:00:00Z[Europe/Berlin]',
  ])
    assert.equal(read(none), null, none);
});
