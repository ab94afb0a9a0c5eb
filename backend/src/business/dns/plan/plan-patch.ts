import { hasNumber } from '../../../base/dns/rdata.ts';
import { type RecordInput, readRecord } from '../../../base/dns/read-record.ts';
import { isRecordType, NUMBER_FIELDS } from '../../../base/dns/record.ts';
import type { InputProblem } from '../../../errors.ts';
import type { RecordChange, ZoneRecord } from '../zone/record.ts';
import type { Step } from './plan-step.ts';
import { problemAt, type RecordPosition } from './position.ts';

/** What a request asks of single records, as far as each can be judged alone. */
export interface Asked {
  readonly steps: readonly Step[];
  readonly errors: readonly InputProblem[];
}

/** Reads changes of single records; `records` are those that they name, and may be more. */
export function readChanges(
  zone: string,
  changes: readonly RecordChange[],
  records: readonly ZoneRecord[],
  newId: () => string,
): Asked {
  const byId = new Map(records.map((record) => [record.id, record]));
  const seen = new Set<string>();
  const steps: Step[] = [];
  const errors: InputProblem[] = [];
  changes.forEach((change, index) => {
    const place: RecordPosition = { list: 'changes', index };
    const before = change.action === 'create' ? null : byId.get(change.id);
    const unusable = change.action === 'create' ? null : problemOfId(before, seen.has(change.id));
    if (before === undefined || unusable !== null) {
      errors.push(problemAt(place, { error: 'not_allowed', message: unusable ?? '' }, 'id'));
      return;
    }
    if (before !== null) seen.add(before.id);
    if (change.action === 'delete') {
      steps.push({ before, after: null, ttlGiven: false, place });
      return;
    }
    const wanted = before === null ? change : merged(before, change);
    const found = readRecord(wanted, zone);
    if (!found.ok) {
      errors.push(problemAt(place, found.problem, found.problem.field));
      return;
    }
    const ttl = found.value.ttl ?? 0;
    const after: ZoneRecord = { ...found.value, ttl, id: before?.id ?? newId(), managed_by: 'customer' };
    steps.push({ before, after, ttlGiven: change.ttl !== undefined, place });
  });
  return { steps, errors };
}

function problemOfId(record: ZoneRecord | null | undefined, isSecond: boolean): string | null {
  if (record === undefined || record === null) return 'There is no record with this id in the zone.';
  if (record.managed_by === 'system') return 'This record is kept by the system.';
  return isSecond ? 'The record is changed twice in this request.' : null;
}

/** What is not given stays, but for numbers that another type does not have. */
function merged(before: ZoneRecord, change: RecordInput): RecordInput {
  const type = (change.type ?? before.type).toUpperCase();
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const numbers = NUMBER_FIELDS.map((field) => {
    const has = isRecordType(type) && hasNumber(type, field);
    return [field, change[field] === undefined && has ? before[field] : change[field]];
  });
  return { ...before, ...Object.fromEntries(given), ...Object.fromEntries(numbers) };
}
