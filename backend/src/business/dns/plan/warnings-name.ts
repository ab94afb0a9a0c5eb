import { absoluteName, relativeName } from '../../../base/dns/name.ts';
import type { ZoneRecord } from '../zone/record.ts';
import type { Steps } from './plan-step.ts';
import { type RecordPosition, warningAt, type ZoneWarning } from './position.ts';

const ADDRESS_TYPES = new Set(['A', 'AAAA']);
/** What a delegated name has beside the addresses of its name servers. */
const AT_DELEGATION = new Set(['NS', 'DS', ...ADDRESS_TYPES]);

/** What can be said of all records of a name taken together. */
export function nameWarnings(zone: string, steps: Steps, name: string, place: RecordPosition): ZoneWarning[] {
  const records = steps.publishedAt(name);
  return [
    ...mailWarnings(name, records, place),
    ...delegationWarnings(zone, steps, name, records, place),
    ...signerWarnings(steps, name, records, place),
  ];
}

function mailWarnings(name: string, records: readonly ZoneRecord[], place: RecordPosition): ZoneWarning[] {
  const mailServers = records.filter(({ type }) => type === 'MX');
  const policies = records.filter(isSpf);
  const warnings: ZoneWarning[] = [];
  const warn = (error: string, message: string) => warnings.push(warningAt(place, error, message));
  if (policies.length > 1) warn('spf_more_than_one', `With more than one SPF record at ${name} none counts.`);
  const receives = mailServers.some(({ content }) => content !== '.');
  if (receives && policies.length === 0) {
    warn('spf_missing', `${name} receives mail, but has no SPF record to say who sends it.`);
  }
  if (mailServers.length > 1 && mailServers.some(({ content }) => content === '.')) {
    warn(
      'mx_null_not_alone',
      `An MX record of a dot says that ${name} receives no mail; others contradict it.`,
    );
  }
  return warnings;
}

/** RFC 7208 §4.5. */
export function isSpf({ type, content }: ZoneRecord): boolean {
  return type === 'TXT' && /^"v=spf1[ "]/i.test(content);
}

/** Nothing is served at and below a delegated name but what leads to its name servers (RFC 1034 §4.2.1). */
function delegationWarnings(
  zone: string,
  steps: Steps,
  name: string,
  records: readonly ZoneRecord[],
  place: RecordPosition,
): ZoneWarning[] {
  const above = steps.namesAbove(absoluteName(name, zone)).map((one) => relativeName(one, zone));
  const delegatedAbove = above.find((one) => isDelegated(steps, one));
  const hidden = records.filter(({ type }) => !ADDRESS_TYPES.has(type)).length > 0;
  if (delegatedAbove !== undefined && hidden) {
    return [
      warningAt(
        place,
        'below_delegation',
        `${delegatedAbove} is delegated: ${name} is not served from here.`,
      ),
    ];
  }
  const begins = name !== '@' && records.some(({ type }) => type === 'NS');
  if (!begins) return [];
  const others = records.filter(({ type }) => !AT_DELEGATION.has(type));
  const message = `${name} is delegated, so what is at and below it here is not served.`;
  return others.length > 0 || !wasDelegated(steps, name) ? [warningAt(place, 'delegation', message)] : [];
}

function isDelegated(steps: Steps, name: string): boolean {
  return steps.publishedAt(name).some(({ type }) => type === 'NS');
}

function wasDelegated(steps: Steps, name: string): boolean {
  return steps.publishedBefore(name).some(({ type }) => type === 'NS');
}

/** The child's keys are not seen from here; that they change is likely when its name servers do. */
function signerWarnings(
  steps: Steps,
  name: string,
  records: readonly ZoneRecord[],
  place: RecordPosition,
): ZoneWarning[] {
  const before = steps.publishedBefore(name);
  const serversOf = (all: readonly ZoneRecord[]) =>
    all
      .flatMap(({ type, content }) => (type === 'NS' ? [content] : []))
      .sort()
      .join(' ');
  const isKept = [before, records].every((all) => all.some(({ type }) => type === 'DS'));
  if (!isKept || serversOf(before) === serversOf(records)) return [];
  const message = `The DS records of ${name} stay: its new name servers must sign with the same keys.`;
  return [warningAt(place, 'ds_may_break', message)];
}
