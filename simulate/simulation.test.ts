// Slow: 125 s

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isComplete, sampleOf } from '../backend/test/sample.ts';

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));
const WRONG_RULE = fileURLToPath(new URL('./wrong-rule.ts', import.meta.url));

interface Life {
  readonly days: number;
  readonly customers: number;
  readonly activity: number;
}

/** A short life in a process of its own, with a wrong rule in the program or without one. */
function simulate({ days, customers, activity }: Life, wrongRule?: string) {
  const shape = ['--days', String(days), '--customers', String(customers), '--activity', String(activity)];
  const args = [...shape, '--kills', '4', '--quiet'];
  const preload = wrongRule === undefined ? [] : [`--import=${WRONG_RULE}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...preload, RUN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: preload.join(' '), SIMULATE_WRONG_RULE: wrongRule ?? '' },
  });
  return { status, text: `${stdout}${stderr}` };
}

test('after every day of a short life, with its worker killed four times, everything holds', () => {
  const { status, text } = simulate({ days: 100, customers: 40, activity: 0.5 });
  assert.equal(status, 0, text);
  assert.match(text, /worker killed [1-4] times/);
});

/** A life ends with what is wrong in it: where much happens each day, that is soon. */
const BUSY: Life = { days: 60, customers: 60, activity: 2 };
/** What takes a term and more to be seen. Everything is looked at once a day until then: the worker stands still later. */
const LONG: Life = { days: 100, customers: 50, activity: 0.5 };

const FOUND: Readonly<Record<string, { readonly within: Life; readonly finding: RegExp }>> = {
  'short months': { within: BUSY, finding: /each term has the length/ },
  'served unpaid': { within: LONG, finding: /nothing runs unpaid beyond its grace/ },
  'rounded twice': { within: BUSY, finding: /each term has the length and the price/ },
  'kept alike': { within: BUSY, finding: /what is off is kept for as long as its product says/ },
  'hours given': { within: BUSY, finding: /each term has the length/ },
  'number lost': { within: BUSY, finding: /invoices are numbered without gaps/ },
  'a year too many': { within: LONG, finding: /what is paid is registered until then, and no longer/ },
  'earned at once': { within: LONG, finding: /revenue recognised is service delivered/ },
  'never held': { within: LONG, finding: /what nobody pays for is held/ },
};

/** Each is a life of its own: some in each run of the tests, another choice each time, and all in a nightly one. */
const RULES = Object.keys(FOUND);
const sampled = new Set(isComplete ? RULES : sampleOf(RULES, 4));

for (const [rule, { within, finding }] of Object.entries(FOUND).filter(([rule]) => sampled.has(rule))) {
  test(`a wrong rule is found: ${rule}`, () => {
    const { status, text } = simulate(within, rule);
    assert.equal(status, 1, text);
    assert.match(text, finding);
  });
}
