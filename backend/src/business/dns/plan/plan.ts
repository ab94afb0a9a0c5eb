import { absoluteName, relativeName } from '../../../base/dns/name.ts';
import { rdataText } from '../../../base/dns/record.ts';
import type { InputProblem } from '../../../errors.ts';
import { merged, type Publication, publicationAt } from '../publish/publication.ts';
import type { RecordChange, ZoneInput, ZoneRecord } from '../zone/record.ts';
import { targetOf } from '../zone/target.ts';
import { type Asked, readChanges } from './plan-patch.ts';
import { MOST_ERRORS, replacing, wantedOfFile, wantedOfRecords } from './plan-replace.ts';
import { errorsAt } from './plan-rules.ts';
import { type Step, Steps } from './plan-step.ts';
import { settleTtls } from './plan-ttl.ts';
import { problemAt, type ZoneWarning } from './position.ts';
import { warningsOf } from './warnings.ts';
import { namesFor } from './warnings-target.ts';

/** What a change is planned against. */
export interface PlanBase {
  /** Absolute, lower case, punycode, without the root's dot. */
  readonly zone: string;
  readonly defaultTtl: number;
  /** Of the whole zone; kept beside it, so that nothing has to be counted. */
  readonly size: ZoneSize;
  /** For `records` and `zonefile`: all of the zone. For `changes`: what `recordsNeeded` asks for, or more. */
  readonly records: readonly ZoneRecord[];
}

export interface ZoneSize {
  readonly records: number;
  /** Of all RDATA as presented. */
  readonly characters: number;
  /** ALIAS records, disabled ones too. */
  readonly aliases: number;
}

export interface ZoneDiff {
  readonly added: readonly ZoneRecord[];
  readonly removed: readonly ZoneRecord[];
  readonly changed: readonly { readonly before: ZoneRecord; readonly after: ZoneRecord }[];
  readonly unchanged: number;
}

/** The record sets whose publication changes, with what else the change comes to. */
export interface ZonePlan extends Publication {
  readonly diff: ZoneDiff;
  readonly sizeAfter: ZoneSize;
  /** The first hundred. */
  readonly warnings: readonly ZoneWarning[];
}

export type Planning =
  | { readonly ok: true; readonly plan: ZonePlan }
  /** At most one for each record, and the first hundred. */
  | { readonly ok: false; readonly errors: readonly InputProblem[] };

/** Which records `planChange` has to be given for a list of changes, beside those that it names by their ids. */
export interface RecordsNeeded {
  /** All records of these names, relative to the zone as they are stored. */
  readonly names: readonly string[];
  /** All records whose content is one of these: names that end with a dot. */
  readonly contents: readonly string[];
}

export const MOST_ZONE_RECORDS = 20_000;
export const MOST_ZONE_CHARACTERS = 8 * 1024 * 1024;
/** Each is looked up every few minutes, and whenever the zone is published as a whole. */
export const MOST_ZONE_ALIASES = 50;
const MOST_WARNINGS = 100;
/** Of names to look up; a zone has not many more records. */
const MOST_NEEDED = 10_000;

/**
 * What becomes of a zone when a customer asks for a change of it: all of it, or errors and nothing. Costs what the names
 * cost that it has to do with, however large the zone is.
 */
export function planChange(base: PlanBase, input: ZoneInput, newId: () => string): Planning {
  const { asked, warnings } = read(base, input, newId);
  if (asked.errors.length > 0) return { ok: false, errors: asked.errors.slice(0, MOST_ERRORS) };
  const steps = stepsOf(base, asked.steps);
  const ttlWarnings = settleTtls(steps, base.defaultTtl);
  const diff = diffOf(steps, base.size);
  const sizeAfter = sizeAfterDiff(base.size, diff);
  const errors = [
    ...errorsOfSize(base.size, sizeAfter, asked.steps),
    ...[...steps.touched.keys()].flatMap((name) => errorsAt(base.zone, steps, name)),
  ];
  if (errors.length > 0) return { ok: false, errors: errors.slice(0, MOST_ERRORS) };
  const touched = [...steps.touched.keys()];
  const publication = merged(
    touched.map((name) =>
      publicationAt(base.zone, name, steps.publishedBefore(name), steps.publishedAt(name)),
    ),
  );
  const found = [...warnings, ...ttlWarnings, ...warningsOf(base.zone, steps)];
  return { ok: true, plan: { diff, sizeAfter, ...publication, warnings: found.slice(0, MOST_WARNINGS) } };
}

/**
 * `named`: the records that the changes name by their ids. null: so much that all of the zone is had more cheaply, which is
 * so for names of very many labels.
 */
export function recordsNeeded(
  zone: string,
  changes: readonly RecordChange[],
  named: readonly ZoneRecord[],
): RecordsNeeded | null {
  const names = new Set<string>();
  const contents = new Set<string>();
  for (const { before, after } of readChanges(zone, changes, named, () => '').steps) {
    for (const record of [before, after]) {
      if (record === null) continue;
      const name = absoluteName(record.name, zone);
      contents.add(`${name}.`);
      for (const near of [...namesFor(zone, name), ...namesFor(zone, targetOf(record) ?? '')]) {
        names.add(relativeName(near, zone));
      }
      if (names.size > MOST_NEEDED) return null;
    }
  }
  return { names: [...names], contents: [...contents] };
}

function read(
  base: PlanBase,
  input: ZoneInput,
  newId: () => string,
): { asked: Asked; warnings: readonly ZoneWarning[] } {
  if ('changes' in input) {
    return { asked: readChanges(base.zone, input.changes, base.records, newId), warnings: [] };
  }
  const wanted =
    'records' in input ? wantedOfRecords(base.zone, input.records) : wantedOfFile(base.zone, input.zonefile);
  return { asked: replacing(base.records, wanted, newId), warnings: wanted.warnings };
}

/** The steps that were asked for, among the records that stay as they are. */
function stepsOf({ zone, records }: PlanBase, asked: readonly Step[]): Steps {
  const steps = new Steps(zone);
  const ids = new Set(asked.map(({ before }) => before?.id));
  for (const record of records) {
    if (!ids.has(record.id)) steps.add({ before: record, after: record, ttlGiven: false, place: null });
  }
  for (const step of asked) steps.add(step);
  return steps;
}

function diffOf(steps: Steps, size: ZoneSize): ZoneDiff {
  const added: ZoneRecord[] = [];
  const removed: ZoneRecord[] = [];
  const changed: { before: ZoneRecord; after: ZoneRecord }[] = [];
  for (const { before, after } of steps.all) {
    if (before === null && after !== null) added.push(after);
    if (before !== null && after === null) removed.push(before);
    if (before !== null && after !== null && !isSame(before, after)) changed.push({ before, after });
  }
  return { added, removed, changed, unchanged: size.records - removed.length - changed.length };
}

function isSame(a: ZoneRecord, b: ZoneRecord): boolean {
  if (a === b) return true;
  const isSaidSame = a.ttl === b.ttl && a.disabled === b.disabled && a.comment === b.comment;
  return isSaidSame && a.name === b.name && a.type === b.type && rdataText(a) === rdataText(b);
}

/** What becomes of a zone's size, of the diff's records alone. */
export function sizeAfterDiff(
  size: ZoneSize,
  { added, removed, changed }: Pick<ZoneDiff, 'added' | 'removed' | 'changed'>,
): ZoneSize {
  const more = sizeOf([...added, ...changed.map(({ after }) => after)]);
  const less = sizeOf([...removed, ...changed.map(({ before }) => before)]);
  return {
    records: size.records + more.records - less.records,
    characters: size.characters + more.characters - less.characters,
    aliases: size.aliases + more.aliases - less.aliases,
  };
}

export function sizeOf(records: readonly ZoneRecord[]): ZoneSize {
  return {
    records: records.length,
    characters: records.reduce((sum, record) => sum + rdataText(record).length, 0),
    aliases: records.filter(({ type }) => type === 'ALIAS').length,
  };
}

/** Only what makes a zone larger can make it too large. */
function errorsOfSize(before: ZoneSize, after: ZoneSize, asked: readonly Step[]): InputProblem[] {
  const place = asked.findLast((step) => step.after !== null)?.place;
  if (!place) return [];
  const tooLong = (message: string, limit: number) => [
    problemAt(place, { error: 'too_long', message, limit }, undefined),
  ];
  if (after.records > Math.max(before.records, MOST_ZONE_RECORDS)) {
    return tooLong(`A zone has at most ${MOST_ZONE_RECORDS} records.`, MOST_ZONE_RECORDS);
  }
  if (after.characters > Math.max(before.characters, MOST_ZONE_CHARACTERS)) {
    return tooLong('The records of the zone are too large together.', MOST_ZONE_CHARACTERS);
  }
  if (after.aliases > Math.max(before.aliases, MOST_ZONE_ALIASES)) {
    return tooLong(`A zone has at most ${MOST_ZONE_ALIASES} ALIAS records.`, MOST_ZONE_ALIASES);
  }
  return [];
}
