import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFailure, HEALTHY, isFailing, isHopeless, nextAttempt, type WebhookHealth } from './health.ts';

const START = Temporal.Instant.from('2027-01-15T12:00:00Z');
const at = (time: Temporal.DurationLike) => START.add(time);

test('an event is tried again after pauses that grow from five seconds to twelve hours, the last time after 72 hours', () => {
  const pauses: number[] = [];
  let now = START;
  for (let attempts = 1; ; attempts += 1) {
    const next = nextAttempt(attempts, START, now);
    if (next === null) break;
    pauses.push(next.since(now).total('seconds'));
    now = next;
  }
  assert.deepEqual(pauses.slice(0, 8), [5, 30, 120, 300, 900, 1_800, 3_600, 7_200]);
  assert.deepEqual(pauses.slice(8, 14), [14_400, 28_800, 43_200, 43_200, 43_200, 43_200]);
  assert.equal(now.since(START).total('hours'), 72);
});

/** Failures in a row; each says how often its event was tried and how many have failed in its turn. */
function after(...failures: readonly (readonly [attempts: number, misses: number])[]): WebhookHealth {
  return failures.reduce(
    (standing, [attempts, misses]) => afterFailure(standing, { attempts, misses }, START),
    HEALTHY,
  );
}

test('the line waits for an event at its first two failures, and goes on at the third', () => {
  assert.deepEqual(after([1, 1]).quietUntil, at({ seconds: 5 }));
  assert.deepEqual(after([1, 1], [2, 1]).quietUntil, at({ seconds: 30 }));
  const third = after([1, 1], [2, 1], [3, 1]);
  assert.deepEqual([third.quietUntil, third.holdsLine], [null, false]);
});

test('once an event has stepped aside, the line waits for none until one is accepted', () => {
  assert.equal(after([3, 1], [1, 2]).quietUntil, null);
  assert.deepEqual(afterFailure(HEALTHY, { attempts: 1, misses: 1 }, START).quietUntil, at({ seconds: 5 }));
});

test('three in a row that fail give the receiver a rest, from a minute up to half an hour', () => {
  let standing = after([3, 1], [1, 2]);
  const minutes: number[] = [];
  for (let times = 0; times < 8; times += 1) {
    standing = afterFailure(standing, { attempts: 4, misses: 3 }, START);
    assert.ok(standing.quietUntil !== null);
    minutes.push(standing.quietUntil.since(START).total('minutes'));
  }
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 30, 30, 30]);
});

test('a receiver fails after 72 hours, and is given up after seven days, if an event was tried thrice or several fail', () => {
  const standing = after([1, 1]);
  const { failingSince } = standing;
  const failing = [71, 72].map((hours) => isFailing(failingSince, at({ hours })));
  assert.deepEqual([...failing, isFailing(null, at({ hours: 999 }))], [false, true, false]);
  assert.deepEqual(
    [167, 168].map((hours) => isHopeless(standing, 3, at({ hours }))),
    [false, true],
  );
  assert.equal(isHopeless(standing, 1, at({ hours: 999 })), false);
  assert.equal(isHopeless({ ...standing, pauses: 1 }, 1, at({ hours: 168 })), true);
});
