import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));
const WRONG_RULE = fileURLToPath(new URL('./wrong-rule.ts', import.meta.url));

/** A short life in a process of its own, with a wrong rule in the program or without one. */
function simulate(days: number, customers: number, wrongRule?: string) {
  const shape = ['--days', String(days), '--customers', String(customers), '--activity', '0.5'];
  const args = [...shape, '--kills', '4', '--quiet'];
  const preload = wrongRule === undefined ? [] : [`--import=${WRONG_RULE}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...preload, RUN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: preload.join(' '), SIMULATE_WRONG_RULE: wrongRule ?? '' },
  });
  return { status, text: `${stdout}${stderr}` };
}

test('after every day of a short life, with its worker killed four times, everything holds', () => {
  const { status, text } = simulate(100, 40);
  assert.equal(status, 0, text);
  assert.match(text, /worker killed [1-4] times/);
});

const FOUND: Readonly<Record<string, RegExp>> = {
  'short months': /each term has the length/,
  'served unpaid': /nothing runs unpaid beyond its grace/,
  'rounded twice': /each term has the length and the price/,
  'kept alike': /what is off is kept for as long as its product says/,
  'hours given': /each term has the length/,
  'number lost': /invoices are numbered without gaps/,
  'a year too many': /what is paid is registered until then, and no longer/,
  'never held': /what nobody pays for is held/,
};

for (const [rule, finding] of Object.entries(FOUND)) {
  test(`a wrong rule is found: ${rule}`, () => {
    const { status, text } = simulate(70, 40, rule);
    assert.equal(status, 1, text);
    assert.match(text, finding);
  });
}
