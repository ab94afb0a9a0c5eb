import type { Staying, Steps } from './plan-step.ts';
import { type RecordPosition, warningAt, type ZoneWarning } from './position.ts';

/**
 * Gives the records of one name and type one TTL (RFC 2181 §5.2): the last that was asked for, else that of the records
 * that were there, else the zone's. Disabled records count, so that enabling one changes no other.
 */
export function settleTtls(steps: Steps, defaultTtl: number): ZoneWarning[] {
  const warnings: ZoneWarning[] = [];
  for (const name of steps.touched.keys()) {
    for (const set of Map.groupBy(steps.at(name), ({ after }) => after.type).values()) {
      const ttl = ttlOf(set) ?? defaultTtl;
      warnings.push(...differing(set, ttl));
      for (const step of set) {
        if (step.after.ttl !== ttl) step.after = { ...step.after, ttl };
      }
    }
  }
  return warnings;
}

function ttlOf(set: readonly Staying[]): number | null {
  const given = set.findLast(({ ttlGiven }) => ttlGiven);
  if (given !== undefined) return given.after.ttl;
  const untouched = set.find(({ place }) => place === null);
  if (untouched !== undefined) return untouched.after.ttl;
  return set.find(({ before, place }) => before !== null && place?.list === 'changes')?.before?.ttl ?? null;
}

/** Only where it is not plain: the records of one set were asked to have different ones, or others change too. */
function differing(set: readonly Staying[], ttl: number): ZoneWarning[] {
  const last = set.findLast(({ ttlGiven }) => ttlGiven);
  const asked: RecordPosition | null = last?.place ?? null;
  const differs = set.some(({ after, ttlGiven, place }) => (ttlGiven || place === null) && after.ttl !== ttl);
  if (asked === null || !differs) return [];
  const { name, type } = set[0]?.after ?? { name: '', type: '' };
  return [warningAt(asked, 'ttl_of_set', `All ${type} records of ${name} have one TTL, now ${ttl}.`, 'ttl')];
}
