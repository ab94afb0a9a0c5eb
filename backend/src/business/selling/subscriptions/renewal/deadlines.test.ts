import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBefore } from '../../../../base/time.ts';
import { nextDue, noticeDays, renewAt, switchOffAt } from './deadlines.ts';
import { type Decided, lifecycleStep } from './lifecycle.ts';

const END = Temporal.Instant.from('2027-03-31T10:00:00Z');
const POLICY = { notices: [3, 14], renew_days: 1, grace_days: 3, keep_days: 30, withdrawal: 'none' } as const;
const life = { ...POLICY, notices: [...POLICY.notices] };
const service: Decided = {
  state: 'active',
  auto_renew: true,
  ends: false,
  duration: 1,
  duration_unit: 'year',
  expire_at: END,
  delete_at: null,
  suspensions: [],
  noticed: [],
};
const at = (days: number) => END.add({ hours: days * 24 });

test('a notice is left out for terms that are hardly longer than it', () => {
  assert.deepEqual(noticeDays(service, life), [14, 3]);
  assert.deepEqual(noticeDays({ ...service, duration_unit: 'month' }, life), [3]);
  assert.deepEqual(noticeDays({ ...service, duration_unit: 'month', duration: 2 }, life), [14, 3]);
  assert.deepEqual(noticeDays({ ...service, duration_unit: 'hour', duration: 36 }, life), []);
});

test('a service is looked at at each notice, its renewal, and its end', () => {
  const plain = { ...service, auto_renew: false };
  assert.equal(nextDue(service, life, at(-200))?.toString(), at(-14).toString());
  assert.equal(nextDue(service, life, at(-14))?.toString(), at(-3).toString());
  assert.equal(nextDue(service, life, at(-3))?.toString(), at(-1).toString());
  assert.equal(nextDue(plain, life, at(-3))?.toString(), at(3).toString());
  assert.equal(nextDue(service, life, at(-1))?.toString(), at(-1).add({ hours: 6 }).toString());
  const hourly = { ...service, duration_unit: 'hour' as const };
  assert.equal(nextDue(hourly, life, END.subtract({ hours: 1 }))?.toString(), '2027-03-31T09:50:00Z');
});

test('what happens at each moment of a life', () => {
  const step = (change: Partial<Decided>, days: number) =>
    lifecycleStep({ ...service, ...change }, life, at(days)).kind;
  assert.equal(step({}, -20), 'wait');
  assert.deepEqual(lifecycleStep(service, life, at(-14)), { kind: 'notice', days: 14, missed: [] });
  assert.deepEqual(lifecycleStep(service, life, at(-2)), { kind: 'notice', days: 3, missed: [14] });
  assert.equal(step({ noticed: [3] }, -2), 'wait');
  assert.equal(step({ noticed: [14] }, -13), 'wait');
  assert.deepEqual(lifecycleStep(service, life, at(-1)), { kind: 'renew', otherwise: { kind: 'unpaid' } });
  assert.deepEqual(lifecycleStep(service, life, at(3)), { kind: 'renew', otherwise: { kind: 'switch_off' } });
  assert.equal(step({ auto_renew: false, noticed: [3] }, 2), 'wait');
  assert.equal(step({ auto_renew: false }, 3), 'switch_off');
  assert.equal(step({ state: 'cancel_scheduled', ends: true }, -1), 'wait');
  assert.equal(step({ state: 'cancel_scheduled', ends: true }, 0), 'end');
  assert.equal(step({ state: 'suspended', ends: true, suspensions: ['abuse'] }, 0), 'end');
  assert.equal(step({ state: 'suspended', delete_at: at(33), suspensions: ['unpaid'] }, 20), 'renew');
  assert.deepEqual(
    lifecycleStep(
      { ...service, state: 'suspended', delete_at: at(33), suspensions: ['unpaid'] },
      life,
      at(33),
    ),
    { kind: 'renew', otherwise: { kind: 'delete' } },
  );
  assert.equal(step({ state: 'expired', delete_at: at(33) }, 32), 'wait');
  assert.equal(step({ state: 'expired', delete_at: at(33) }, 33), 'delete');
  assert.equal(step({ state: 'expired', delete_at: at(33), suspensions: ['legal'] }, 99), 'wait');
  assert.equal(step({ state: 'deleted' }, 99), 'wait');
});

const policies = fc.record({
  notices: fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { maxLength: 5 }),
  renew_days: fc.integer({ min: 0, max: 30 }),
  grace_days: fc.integer({ min: 0, max: 90 }),
  keep_days: fc.integer({ min: 0, max: 365 }),
  withdrawal: fc.constantFrom('none' as const, 'pro_rata' as const),
});
const services = fc.record({
  state: fc.constantFrom('active' as const, 'suspended' as const),
  auto_renew: fc.boolean(),
  ends: fc.constant(false),
  duration: fc.integer({ min: 1, max: 36 }),
  duration_unit: fc.constantFrom('hour' as const, 'month' as const, 'year' as const),
  expire_at: fc.constant(END),
  delete_at: fc.constant(null),
  suspensions: fc.constant([]),
  noticed: fc.constant([]),
});

test('property: whoever is looked after at each due moment misses neither renewal nor end', () => {
  fc.assert(
    fc.property(services, policies, fc.integer({ min: 0, max: 2000 }), (living, policy, daysBefore) => {
      let now = END.subtract({ hours: daysBefore * 24 });
      const renewal = renewAt(living, policy);
      const end = switchOffAt(living, policy);
      let renewed = !living.auto_renew || !isBefore(now, renewal);
      for (let looks = 0; isBefore(now, end); looks += 1) {
        const due = nextDue(living, policy, now);
        assert.ok(
          due !== null && isBefore(now, due) && !isBefore(end, due),
          'time goes on, and not past the end',
        );
        assert.ok(looks < 1000);
        now = due;
        if (due.epochMilliseconds === renewal.epochMilliseconds) renewed = true;
        // In grace it is tried again; what has been tried once is enough here.
        if (renewed && !isBefore(now, renewal)) break;
      }
      assert.ok(renewed);
    }),
  );
});
