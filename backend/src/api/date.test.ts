import assert from 'node:assert/strict';
import { test } from 'node:test';
import { date, startOf } from './date.ts';

test('a day of the calendar is accepted and begins at midnight UTC', () => {
  for (const day of ['1970-01-01', '2028-02-29', '2999-12-31']) {
    assert.equal(date.parse(day), day);
    assert.equal(startOf(day)?.toString(), `${day}T00:00:00Z`);
  }
});

test('what is no day, or in a year that not everybody can hold, is refused', () => {
  for (const day of [
    '2027-02-29',
    '2027-04-31',
    '2027-00-10',
    '1969-12-31',
    '3000-01-01',
    '2027-1-1',
    '2027-01-01T00:00',
    '',
  ]) {
    assert.equal(date.safeParse(day).success, false, day);
  }
});
