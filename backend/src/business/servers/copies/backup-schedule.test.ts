import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextBackup } from './backup-schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);
const SERVER = '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11';
const HOUR_MS = 3_600_000;

test('a backup is due within its hour, at a time of the server’s own that is the same each day', () => {
  const first = nextBackup(SERVER, { hour: 3, weekday: null }, at('2027-01-15T12:00:00Z'));
  assert.match(first.toString(), /^2027-01-16T03:/);
  assert.equal(
    nextBackup(SERVER, { hour: 3, weekday: null }, first).epochMilliseconds - first.epochMilliseconds,
    24 * HOUR_MS,
  );
});

test('servers with one schedule are spread over its hour', () => {
  const times = Array.from({ length: 200 }, (_, number) =>
    nextBackup(`server ${number}`, { hour: 3, weekday: null }, at('2027-01-15T12:00:00Z')).toString(),
  );
  const quarters = Map.groupBy(times, (time) => Math.floor(Number(time.slice(14, 16)) / 15));
  for (const quarter of [0, 1, 2, 3]) assert.ok((quarters.get(quarter)?.length ?? 0) > 20, `${quarter}`);
});

test('whatever passed meanwhile, the next time is the first one that is still to come', () => {
  const moment = fc.integer({ min: 0, max: 4_000_000_000 });
  const schedule = fc.record({
    hour: fc.integer({ min: 0, max: 23 }),
    weekday: fc.option(fc.integer({ min: 1, max: 7 }), { nil: null }),
  });
  fc.assert(
    fc.property(moment, schedule, fc.uuid(), (seconds, given, serverId) => {
      const after = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
      const next = nextBackup(serverId, given, after);
      const days = given.weekday === null ? 1 : 7;
      const wait = next.epochMilliseconds - after.epochMilliseconds;
      assert.ok(wait > 0 && wait <= days * 24 * HOUR_MS, `${wait}`);
      const shown = next.toZonedDateTimeISO('UTC');
      assert.equal(shown.hour, given.hour);
      if (given.weekday !== null) assert.equal(shown.dayOfWeek, given.weekday);
    }),
  );
});
