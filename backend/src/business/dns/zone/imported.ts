import type { RecordInput } from '../../../base/dns/read-record.ts';
import { LEAST_TTL, MOST_TTL } from '../../../base/dns/ttl.ts';
import { readZoneFile } from '../../../base/dns/zone-file.ts';
import type { ExistingRecord, ExistingZone } from '../../../drivers/dns/port.ts';
import { planZone } from './hosting.ts';

/** A record that name servers before have and a zone here does not take, and why. */
export interface SkippedRecord {
  /** Absolute. */
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

/** What was found of a zone that somebody else serves, and what of it a zone here begins with. */
export interface ImportedZone extends Pick<ExistingZone, 'source' | 'nameservers' | 'complete'> {
  readonly records: readonly RecordInput[];
  readonly skipped: readonly SkippedRecord[];
}

/** Of a larger zone, its customer brings a zone file in parts. */
const MOST_RECORDS = 10_000;
/** Of all names and contents together: reading costs by the character, whatever the number of records. */
const MOST_CHARACTERS = 1024 * 1024;
/** Each pass takes away whatever it finds wrong; whoever sends more than this means no good. */
const MOST_PASSES = 3;

interface Kept {
  readonly record: RecordInput;
  readonly from: ExistingRecord;
}

/**
 * Fits what was found into a zone that has `given` records already, which come first: what contradicts them, or what is
 * no record here, is left out and named. Somebody else's name server chose the records, so the time that they take is
 * bounded.
 */
export function importZone(
  zone: string,
  { source, nameservers, complete, records: found }: ExistingZone,
  given: readonly RecordInput[],
): ImportedZone {
  const skipped: SkippedRecord[] = [];
  const skip = ({ name, type }: ExistingRecord, message: string) => skipped.push({ name, type, message });
  const fit = (): readonly RecordInput[] => {
    const tooMuch = sizeProblem(found);
    if (tooMuch !== null) {
      for (const from of found) skip(from, tooMuch);
      return [];
    }
    let kept = withoutRivals(readAll(zone, found, skip), skip);
    for (let passes = 0; passes < MOST_PASSES; passes += 1) {
      const wrong = problemsOf(zone, given, kept);
      if (wrong.size === 0) return kept.map(({ record }) => record);
      kept.forEach(({ from }, at) => {
        const message = wrong.get(at);
        if (message !== undefined) skip(from, message);
      });
      kept = kept.filter((_, at) => !wrong.has(at));
    }
    for (const { from } of kept) skip(from, 'Too much of what was found contradicts itself.');
    return [];
  };
  const records = fit();
  return { source, nameservers, complete, records, skipped };
}

function sizeProblem(found: readonly ExistingRecord[]): string | null {
  if (found.length > MOST_RECORDS) return `More than ${MOST_RECORDS} records are not taken over at once.`;
  const characters = found.reduce((sum, { name, rdata }) => sum + name.length + (rdata?.length ?? 0), 0);
  return characters > MOST_CHARACTERS ? 'Records of more than 1 MiB are not taken over at once.' : null;
}

function readAll(
  zone: string,
  found: readonly ExistingRecord[],
  skip: (from: ExistingRecord, message: string) => void,
): readonly Kept[] {
  const kept: Kept[] = [];
  for (const from of found) {
    const read = readExisting(zone, from);
    if (typeof read === 'string') skip(from, read);
    else kept.push({ record: read, from });
  }
  return kept;
}

/** Of a name with a CNAME, the first of them alone (RFC 1034 §3.6.2). */
function withoutRivals(
  all: readonly Kept[],
  skip: (from: ExistingRecord, message: string) => void,
): readonly Kept[] {
  const aliases = new Map<string | undefined, Kept>();
  for (const one of all.toReversed()) if (one.record.type === 'CNAME') aliases.set(one.record.name, one);
  return all.filter((one) => {
    const alias = aliases.get(one.record.name);
    if (alias === undefined || alias === one) return true;
    skip(one.from, 'A CNAME is the only record of its name.');
    return false;
  });
}

/** By their places among those that were found; an error of the given records alone is whoever plans the zone's. */
function problemsOf(
  zone: string,
  given: readonly RecordInput[],
  kept: readonly { readonly record: RecordInput }[],
): ReadonlyMap<number, string> {
  const planned = planZone(zone, [...given, ...kept.map(({ record }) => record)]);
  if (planned.ok) return new Map();
  const places = planned.errors.map(({ pointer, message }) => {
    const at = Number(/^\/records\/(\d+)/.exec(pointer)?.[1]);
    return [at - given.length, message] as const;
  });
  return new Map(places.filter(([at]) => at >= 0));
}

/** A record as requests write it, or why it is none. */
function readExisting(zone: string, { name, type, ttl, rdata }: ExistingRecord): RecordInput | string {
  if (rdata === null) return 'Its content cannot be read.';
  const seconds = Math.min(MOST_TTL, Math.max(LEAST_TTL, ttl));
  const { records, problems } = readZoneFile(`${name}. ${seconds} IN ${type} ${rdata}\n`, zone);
  const [record] = records;
  if (record === undefined) return problems[0]?.problem.message ?? 'The system keeps those.';
  const { name: owner, content, priority, weight, port } = record;
  return { name: owner, type: record.type, content, ttl: seconds, priority, weight, port };
}
