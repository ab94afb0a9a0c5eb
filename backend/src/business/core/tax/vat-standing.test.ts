import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOT_CHECKED, standingAfter } from './vat-standing.ts';

const NOW = Temporal.Instant.from('2027-01-15T12:00:00Z');
const daysAgo = (days: number) => NOW.subtract({ hours: 24 * days });
const valid = (days: number) => ({ state: 'valid' as const, name: 'Engines', checked_at: daysAgo(days) });
const invalid = (days: number) => ({ state: 'invalid' as const, name: null, checked_at: daysAgo(days) });
const away = (days: number) => ({ state: 'unavailable' as const, name: null, checked_at: daysAgo(days) });

test('the last answer and the last silence make the standing', () => {
  const table = [
    [[], NOT_CHECKED],
    [[valid(0)], { state: 'valid', checkedAt: daysAgo(0), name: 'Engines' }],
    [[valid(90)], { state: 'valid', checkedAt: daysAgo(90), name: 'Engines' }],
    [[valid(90), away(0)], { state: 'valid', checkedAt: daysAgo(90), name: 'Engines' }],
    [[valid(3), away(80)], { state: 'valid', checkedAt: daysAgo(3), name: 'Engines' }],
    [[valid(91)], { state: 'unavailable', checkedAt: daysAgo(91), name: null }],
    [[valid(91), away(1)], { state: 'unavailable', checkedAt: daysAgo(1), name: null }],
    [[away(1)], { state: 'unavailable', checkedAt: daysAgo(1), name: null }],
    [[invalid(1)], { state: 'invalid', checkedAt: daysAgo(1), name: null }],
    [[invalid(400)], { state: 'invalid', checkedAt: daysAgo(400), name: null }],
    [[invalid(1), away(2)], { state: 'invalid', checkedAt: daysAgo(1), name: null }],
    [[invalid(2), away(1)], { state: 'unavailable', checkedAt: daysAgo(1), name: null }],
  ] as const;
  for (const [checks, standing] of table) assert.deepEqual(standingAfter(checks, NOW), standing);
});
