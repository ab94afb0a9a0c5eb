import { isWithin, type Name, namesBetween, relativeName } from '../../../base/dns/name.ts';
import type { RecordType } from '../../../base/dns/record.ts';
import type { ZoneRecord } from '../zone/record.ts';
import { targetOf } from '../zone/target.ts';
import type { Steps } from './plan-step.ts';
import { type RecordPosition, warningAt, type ZoneWarning } from './position.ts';

/** Types whose targets must have addresses themselves (RFC 2181 §10.3, RFC 2782). */
const TO_HOSTS: ReadonlySet<RecordType> = new Set(['MX', 'NS', 'SRV']);
/** Whose targets may be the beginning of a longer way to addresses (RFC 9460 §3). */
const BINDINGS: ReadonlySet<RecordType> = new Set(['HTTPS', 'SVCB']);
const ADDRESS_TYPES: ReadonlySet<RecordType> = new Set(['A', 'AAAA', 'ALIAS']);

/** What is wrong with where a record points to, as far as that is in the zone. */
export function targetWarnings(
  zone: string,
  steps: Steps,
  record: ZoneRecord,
  place: RecordPosition,
): ZoneWarning[] {
  const found = problemOfTarget(zone, steps, record);
  return found === null ? [] : [warningAt(place, found.error, found.message, 'content')];
}

/**
 * Records that were not asked for and point to where something changed, so that they now point to nothing. Only those
 * whose content is the target alone: they are found by it (`recordsNeeded`).
 */
export function leftPointing(zone: string, steps: Steps): ZoneWarning[] {
  const warnings: ZoneWarning[] = [];
  for (const { after, place } of steps.all) {
    const target = after === null || place !== null || after.disabled ? null : targetOf(after);
    if (after?.content !== `${target}.` || target === null || !isWithin(target, zone)) continue;
    const touchedAt = steps.touched.get(relativeName(target, zone));
    const found = touchedAt ? problemOfTarget(zone, steps, after) : null;
    if (touchedAt && found) warnings.push(warningAt(touchedAt, found.error, found.message));
  }
  return warnings;
}

function problemOfTarget(
  zone: string,
  steps: Steps,
  record: ZoneRecord,
): { error: string; message: string } | null {
  const target = targetOf(record);
  if (target === null || !isWithin(target, zone)) return null;
  const from = `The ${record.type} record of ${record.name} points to ${target}., which`;
  const found = recordsFor(zone, steps, target);
  if (found === 'elsewhere') return null;
  const isHost = TO_HOSTS.has(record.type);
  const isBinding = BINDINGS.has(record.type);
  if (found.length === 0 && target !== zone)
    return { error: 'target_missing', message: `${from} has no records.` };
  if (!isHost && !isBinding) return null;
  if (isBinding && found.some(({ type }) => type === 'CNAME' || type === record.type)) return null;
  if (found.some(({ type }) => type === 'CNAME')) {
    return { error: 'target_is_cname', message: `${from} is a CNAME: it must have addresses itself.` };
  }
  if (found.some(({ type }) => ADDRESS_TYPES.has(type))) return null;
  return { error: 'target_without_address', message: `${from} has no address.` };
}

/** What would be answered for a name of the zone: its own records, else those of the nearest wildcard (RFC 4592). */
function recordsFor(zone: string, steps: Steps, target: Name): readonly ZoneRecord[] | 'elsewhere' {
  const own = steps.publishedAt(relativeName(target, zone));
  if (own.length > 0) return own;
  const above = steps.namesAbove(target);
  const isDelegated = (name: Name) =>
    steps.publishedAt(relativeName(name, zone)).some(({ type }) => type === 'NS');
  if (above.some(isDelegated)) return 'elsewhere';
  for (const parent of [...above, zone]) {
    const covering = steps.publishedAt(relativeName(`*.${parent}`, zone));
    if (covering.length > 0) return covering;
    if (steps.publishedAt(relativeName(parent, zone)).length > 0) return [];
  }
  return [];
}

/** The names that decide on `problemOfTarget`, absolute. */
export function namesFor(zone: string, target: Name): Name[] {
  if (!isWithin(target, zone)) return [];
  const above = namesBetween(target, zone);
  return [target, ...above, ...[...above, zone].map((parent) => `*.${parent}`)];
}
