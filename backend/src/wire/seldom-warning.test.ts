import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { SetClock } from '../base/clock.ts';
import { SeldomWarning } from './seldom-warning.ts';

test('a thousand warnings in a minute are one line, and the next minute’s line says how many there were', () => {
  const lines: string[] = [];
  const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const warning = new SeldomWarning(log, clock, 'refused');
  for (let times = 0; times < 1000; times += 1) warning.say('no signature', { provider: 'stripe' });
  assert.equal(lines.length, 1);
  clock.set(clock.now().add({ seconds: 60 }));
  warning.say('no signature');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ reason, withheld }) => [reason, withheld]),
    [
      ['no signature', 0],
      ['no signature', 999],
    ],
  );
});
