import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Audit, carryOut, PlanRefused, type Step } from './plan.ts';

/** Steps that add their names to a set, and one of them that does something else. */
function steps(there: Set<string>, special: Partial<Step> & { name: string }): Step[] {
  return ['a', 'b', 'c', 'd'].map((name) => ({
    name,
    isDone: async () => there.has(name),
    apply: async () => void there.add(name),
    undo: async () => void there.delete(name),
    ...(special.name === name ? special : {}),
  }));
}

test('a plan that is run twice changes nothing the second time', async () => {
  const there = new Set<string>();
  assert.equal(await carryOut('p', steps(there, { name: '' })), true);
  const audits: Audit[] = [];
  assert.equal(
    await carryOut('p', steps(there, { name: '' }), { report: (audit) => audits.push(audit) }),
    false,
  );
  assert.ok(audits[0]?.steps.every(({ did }) => did === 'nothing'));
});

test('a step that refuses has what this run applied undone, the last first, and nothing that was there before', async () => {
  const there = new Set(['b']);
  const undone: string[] = [];
  const plan = steps(there, {
    name: 'd',
    apply: async () => {
      throw new PlanRefused('no');
    },
  }).map((step) => ({
    ...step,
    async undo() {
      undone.push(step.name);
      there.delete(step.name);
    },
  }));
  await assert.rejects(carryOut('p', plan), PlanRefused);
  assert.deepEqual(undone, ['d', 'c', 'a']);
  assert.deepEqual([...there], ['b']);
});

test('a step whose outcome is unknown leaves everything for the next run, which finishes', async () => {
  const there = new Set<string>();
  const failing = steps(there, {
    name: 'c',
    apply: async () => {
      throw new Error('the connection broke');
    },
  });
  await assert.rejects(carryOut('p', failing), /broke/);
  assert.deepEqual([...there], ['a', 'b']);
  await carryOut('p', steps(there, { name: '' }));
  assert.deepEqual([...there], ['a', 'b', 'c', 'd']);
});
