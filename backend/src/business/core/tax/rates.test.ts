import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCountry } from '../catalog/schema/country.ts';
import { isMemberState, MEMBER_STATES, standardRate } from './rates.ts';

/** Written down a second time, as of 1 January 2026, from the Commission's list. */
const IN_2026 = {
  AT: 20, BE: 21, BG: 20, CY: 19, CZ: 21, DE: 19, DK: 25, EE: 24, ES: 21, FI: 25.5, FR: 20, GR: 24, HR: 25, HU: 27,
  IE: 23, IT: 22, LT: 21, LU: 17, LV: 21, MT: 18, NL: 21, PL: 23, PT: 23, RO: 21, SE: 25, SI: 22, SK: 23,
}; // biome-ignore format: a table

const noon = (day: string) => Temporal.Instant.from(`${day}T12:00:00Z`);

test('the 27 member states have the standard rates of 2026', () => {
  const rates = MEMBER_STATES.map((country) => [country, standardRate(country, noon('2026-01-01'))]);
  assert.deepEqual(
    Object.fromEntries(rates),
    Object.fromEntries(Object.entries(IN_2026).map(([country, percent]) => [country, percent * 100])),
  );
  assert.ok(MEMBER_STATES.every(isCountry));
});

test('a rate changes at midnight of its country', () => {
  const changes = [
    ['FI', '2024-08-31T20:59:59.999Z', 2400, 2550],
    ['SK', '2024-12-31T22:59:59.999Z', 2000, 2300],
    ['EE', '2025-06-30T20:59:59.999Z', 2200, 2400],
    ['RO', '2025-07-31T20:59:59.999Z', 1900, 2100],
  ] as const;
  for (const [country, last, before, after] of changes) {
    const instant = Temporal.Instant.from(last);
    assert.equal(standardRate(country, instant), before, country);
    assert.equal(standardRate(country, instant.add({ milliseconds: 1 })), after, country);
  }
});

test('the days around each change have the rates of their day', () => {
  const days = [
    ['EE', '2023-12-31', 2200],
    ['EE', '2024-01-01', 2200],
    ['FI', '2024-08-31', 2400],
    ['FI', '2024-09-01', 2550],
    ['SK', '2024-12-31', 2000],
    ['SK', '2025-01-01', 2300],
    ['EE', '2025-06-30', 2200],
    ['EE', '2025-07-01', 2400],
    ['RO', '2025-07-31', 1900],
    ['RO', '2025-08-01', 2100],
    ['DE', '2030-01-01', 1900],
  ] as const;
  for (const [country, day, rate] of days)
    assert.equal(standardRate(country, noon(day)), rate, `${country} ${day}`);
});

test('a country outside the EU, or no country, has no rate', () => {
  for (const country of [
    'GB',
    'CH',
    'NO',
    'AX',
    'MC',
    'XI',
    'EL',
    'IC',
    '',
    'de',
    'constructor',
    '__proto__',
  ]) {
    assert.equal(standardRate(country, noon('2026-01-01')), null, country);
    assert.equal(isMemberState(country), false);
  }
});
