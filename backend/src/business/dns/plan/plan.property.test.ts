import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordInput } from '../../../../test/records.ts';
import { base, create, ids, planned, ZONE } from '../../../../test/zone-plan.ts';
import { writeZoneFile } from '../../../base/dns/zone-file-writer.ts';
import { publicationOf } from '../publish/publication.ts';
import type { RecordChange, ZoneRecord } from '../zone/record.ts';
import { planChange, recordsNeeded } from './plan.ts';

const zoneOf = fc.array(recordInput, { maxLength: 25 }).map((inputs) => {
  let records: ZoneRecord[] = [];
  for (const input of inputs) {
    const planning = planChange(base(records), { changes: [create(input)] }, () => `id-${records.length}`);
    if (!planning.ok) continue;
    const after = new Map(planning.plan.diff.changed.map((change) => [change.after.id, change.after]));
    records = [...records.map((record) => after.get(record.id) ?? record), ...planning.plan.diff.added];
  }
  return records;
});

test('exporting a zone and importing it again changes nothing', () => {
  fc.assert(
    fc.property(zoneOf, (records) => {
      const plan = planned(records, { zonefile: writeZoneFile(ZONE, 3_600, null, records) });
      assert.deepEqual([plan.diff.added, plan.diff.removed, plan.diff.changed], [[], [], []]);
      assert.equal(plan.diff.unchanged, records.length);
      assert.deepEqual([plan.rrsets, plan.aliases], [[], []]);
    }),
    { numRuns: 100 },
  );
});

test('a zone imported into an empty one is published as a whole: each set once', () => {
  fc.assert(
    fc.property(zoneOf, (records) => {
      const plan = planned([], { zonefile: writeZoneFile(ZONE, 3_600, null, records) });
      const whole = publicationOf(ZONE, records);
      const key = (set: { name: string; type?: string }) => `${set.name} ${set.type}`;
      const sorted = <T extends { name: string; type?: string }>(sets: readonly T[]) =>
        sets.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
      assert.deepEqual(sorted(plan.rrsets), sorted(whole.rrsets));
      assert.deepEqual(sorted(plan.aliases), sorted(whole.aliases));
    }),
    { numRuns: 100 },
  );
});

test('the records that are said to be needed are enough: the plan is that of the whole zone', () => {
  const change = (records: readonly ZoneRecord[]): fc.Arbitrary<RecordChange> => {
    const made = recordInput.map(create);
    if (records.length === 0) return made;
    const id = fc.constantFrom(...records.map((record) => record.id));
    const pick = fc.tuple(id, recordInput);
    return fc.oneof(
      made,
      id.map((one): RecordChange => ({ action: 'delete', id: one })),
      pick.map(([one, input]): RecordChange => ({ ...input, action: 'update', id: one })),
      pick.map(([one, { name }]): RecordChange => ({ action: 'update', id: one, name })),
    );
  };
  const situation = zoneOf.chain((records) =>
    fc.tuple(fc.constant(records), fc.array(change(records), { minLength: 1, maxLength: 3 })),
  );
  fc.assert(
    fc.property(situation, ([records, changes]) => {
      const named = records.filter(({ id }) => changes.some((one) => 'id' in one && one.id === id));
      const near = recordsNeeded(ZONE, changes, named);
      assert.ok(near !== null);
      const { names, contents } = near;
      const some = records.filter(
        (record) =>
          named.includes(record) || names.includes(record.name) || contents.includes(record.content),
      );
      const whole = planChange(base(records), { changes }, ids());
      const partial = planChange({ ...base(records), records: some }, { changes }, ids());
      const comparable = (planning: typeof whole) =>
        planning.ok
          ? { ...planning.plan, warnings: planning.plan.warnings.map((one) => JSON.stringify(one)).sort() }
          : planning;
      assert.deepEqual(comparable(partial), comparable(whole));
    }),
    { numRuns: 150 },
  );
});
