import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeObserved } from './visible.ts';

const published_at = Temporal.Instant.from('2027-01-15T12:00:00Z');
const after = (seconds: number) => published_at.add({ seconds });
const some = { serial: 1, nameserversTotal: 2, nameserversCurrent: 1 };
const all = { ...some, nameserversCurrent: 2 };
const known = { published_at, visible_version: 1, dnssec: 'off' as const };

test('a change that one of several name servers does not have is called visible after a minute', () => {
  assert.equal(judgeObserved(known, all, after(0)).visible, true);
  assert.equal(judgeObserved(known, some, after(59)).visible, false);
  assert.equal(judgeObserved(known, some, after(60)).visible, true);
  assert.equal(judgeObserved(known, { ...some, nameserversCurrent: 0 }, after(9_999)).visible, false);
  assert.equal(judgeObserved(known, null, after(9_999)).visible, false);
});

test('what a domain is registered with is waited for everywhere, an hour long (rule F6)', () => {
  const first = { ...known, visible_version: 0 };
  assert.equal(judgeObserved(first, all, after(0)).visible, true);
  assert.equal(judgeObserved(first, some, after(3_599)).visible, false);
  assert.equal(judgeObserved(first, some, after(3_600)).visible, true);
});

test('a DS waits for all name servers, however long', () => {
  const signing = { ...known, dnssec: 'signing' as const };
  const { everywhere, askAgainAt } = judgeObserved(signing, some, after(100_000));
  assert.deepEqual([everywhere, askAgainAt?.toString()], [false, after(100_300).toString()]);
  assert.equal(judgeObserved(signing, all, after(0)).askAgainAt, null);
});
