import { type RecordInput, readRecord } from '../../../base/dns/read-record.ts';
import { type DescribedRecord, recordKey } from '../../../base/dns/record.ts';
import { readZoneFile } from '../../../base/dns/zone-file.ts';
import type { InputProblem } from '../../../errors.ts';
import type { ZoneRecord } from '../zone/record.ts';
import type { Asked } from './plan-patch.ts';
import type { Step } from './plan-step.ts';
import { problemAt, type RecordPosition, warningAt, type ZoneWarning } from './position.ts';

/** What a zone should consist of, beside what the system keeps. */
interface Wanted {
  readonly records: readonly { readonly record: DescribedRecord; readonly place: RecordPosition }[];
  readonly errors: readonly InputProblem[];
  readonly warnings: readonly ZoneWarning[];
}

/** More are not shown, so no more are looked for. */
export const MOST_ERRORS = 100;

export function wantedOfRecords(zone: string, inputs: readonly RecordInput[]): Wanted {
  const records: { record: DescribedRecord; place: RecordPosition }[] = [];
  const errors: InputProblem[] = [];
  const warnings: ZoneWarning[] = [];
  for (const [index, input] of inputs.entries()) {
    if (errors.length === MOST_ERRORS) break;
    const place: RecordPosition = { list: 'records', index };
    const found = input.type?.toUpperCase() === 'SOA' ? null : readRecord(input, zone);
    if (found === null || (found.ok && found.value.type === 'NS' && found.value.name === '@')) {
      warnings.push(skipped(place, input.type ?? ''));
    } else if (found.ok) {
      records.push({ record: found.value, place });
    } else {
      errors.push(problemAt(place, found.problem, found.problem.field));
    }
  }
  return { records, errors, warnings };
}

export function wantedOfFile(zone: string, zonefile: string): Wanted {
  const file = readZoneFile(zonefile, zone);
  const place = (line: number): RecordPosition => ({ list: 'zonefile', line });
  return {
    records: file.records.map(({ line, ...record }) => ({ record, place: place(line) })),
    errors: file.problems.map(({ line, problem }) => problemAt(place(line), problem, problem.field)),
    warnings: file.skipped.map(({ line, type }) => skipped(place(line), type)),
  };
}

function skipped(place: RecordPosition, type: string): ZoneWarning {
  return warningAt(
    place,
    'managed_by_system',
    `This ${type.toUpperCase()} record is left out: the system keeps those.`,
  );
}

/**
 * The steps from the customer's records to those that are wanted. A record keeps its id when it says the same; what is
 * left over of one name and type is taken for changed, in order.
 */
export function replacing(
  current: readonly ZoneRecord[],
  { records, errors }: Wanted,
  newId: () => string,
): Asked {
  const mine = current.filter((record) => record.managed_by === 'customer');
  const same = new Pool(mine, recordKey);
  const matches = records.map(({ record }) => same.take(recordKey(record)));
  const alike = new Pool(same.left(), rrsetKey);
  const steps: Step[] = records.map(({ record, place }, at) => {
    const before = matches[at] ?? alike.take(rrsetKey(record)) ?? null;
    const after: ZoneRecord = {
      ...record,
      ttl: record.ttl ?? 0,
      id: before?.id ?? newId(),
      managed_by: 'customer',
    };
    return { before, after, ttlGiven: record.ttl !== null, place };
  });
  const removed = alike.left().map((before): Step => ({ before, after: null, ttlGiven: false, place: null }));
  return { steps: [...steps, ...removed], errors };
}

function rrsetKey({ name, type }: DescribedRecord): string {
  return `${name} ${type}`;
}

/** Records that are given out one after the other to whoever asks for their key. */
class Pool {
  readonly #byKey = new Map<string, ZoneRecord[]>();

  constructor(records: readonly ZoneRecord[], keyOf: (record: ZoneRecord) => string) {
    for (const record of records.toReversed()) {
      const key = keyOf(record);
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, [record]);
      else known.push(record);
    }
  }

  take(key: string): ZoneRecord | undefined {
    return this.#byKey.get(key)?.pop();
  }

  left(): ZoneRecord[] {
    return [...this.#byKey.values()].flatMap((records) => records.toReversed());
  }
}
