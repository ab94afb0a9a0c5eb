import { absoluteName, nameOctets } from '../../../base/dns/name.ts';
import { rdataOctets } from '../../../base/dns/rdata.ts';
import {
  type RecordField,
  type RecordProblem,
  type RecordType,
  recordKey,
} from '../../../base/dns/record.ts';
import type { InputProblem } from '../../../errors.ts';
import type { Staying, Steps } from './plan-step.ts';
import { problemAt, type RecordPosition } from './position.ts';

export const MOST_RRSET_RECORDS = 1_000;

/** A message over TCP (RFC 1035 §4.2.2), less its header, EDNS and two signatures of an RSA key of 4,096 bits. */
const MOST_ANSWER_OCTETS = 65_535 - 1_535;
/** A pointer to the name, type, class, TTL and length. */
const RECORD_HEAD_OCTETS = 12;

/** Types that no record with a CNAME beside it may have (RFC 1034 §3.6.2): all. */
const BESIDE_ALIAS: readonly RecordType[] = ['A', 'AAAA', 'CNAME'];

/** What is wrong with the records of one name taken together (rule F8), said of a record that was asked for. */
export function errorsAt(zone: string, steps: Steps, name: string): InputProblem[] {
  const place = steps.touched.get(name) ?? null;
  const staying = steps.at(name);
  const published = staying.filter(({ after }) => !after.disabled);
  const found =
    duplicate(staying) ??
    ofTheSystem(name, staying) ??
    besideCname(name, published) ??
    besideAlias(published) ??
    withoutDelegation(name, published) ??
    tooMuch(zone, name, published);
  if (found === null) return [];
  const at = found.step?.place ?? lastPlace(staying) ?? place;
  if (at === null) return []; // nobody asked for anything here: it was so before
  return [problemAt(at, found.problem, found.step?.place ? found.field : undefined)];
}

interface Found {
  readonly problem: Omit<RecordProblem, 'field'>;
  readonly field: RecordField;
  /** The record that is said to be wrong, if it was asked for. */
  readonly step: Staying | undefined;
}

function refuse(message: string, field: RecordField, step: Staying | undefined, limit?: number): Found {
  const error = limit === undefined ? 'not_allowed' : 'too_long';
  return { problem: { error, message, ...(limit === undefined ? {} : { limit }) }, field, step };
}

/** Of several records that cannot be together, the last that was asked for. */
function lastAsked(steps: readonly Staying[]): Staying | undefined {
  return steps.findLast(({ place }) => place !== null);
}

function lastPlace(steps: readonly Staying[]): RecordPosition | null {
  return lastAsked(steps)?.place ?? null;
}

function duplicate(staying: readonly Staying[]): Found | null {
  const seen = new Set<string>();
  // Those that are there already come first, so that the new one is said to be too much.
  for (const step of staying.toSorted((a, b) => Number(a.place !== null) - Number(b.place !== null))) {
    const key = recordKey(step.after);
    if (seen.has(key)) return refuse('There is such a record already.', 'content', step);
    seen.add(key);
  }
  return null;
}

function ofTheSystem(name: string, staying: readonly Staying[]): Found | null {
  const nameserver = staying.find(({ after, place }) => after.type === 'NS' && place !== null);
  if (name !== '@' || nameserver === undefined) return null;
  return refuse('The name servers of the domain are set with domain/nameservers.', 'type', nameserver);
}

function besideCname(name: string, published: readonly Staying[]): Found | null {
  const cnames = published.filter(({ after }) => after.type === 'CNAME');
  if (cnames.length === 0) return null;
  if (name === '@') {
    return refuse('The zone itself cannot be a CNAME; take ALIAS.', 'type', lastAsked(cnames));
  }
  if (published.length === 1) return null;
  const message = `A CNAME is the only record of its name, and ${name} has others.`;
  return refuse(message, 'type', lastAsked(published));
}

/** An ALIAS becomes A and AAAA records; with others it would not be clear which of them are meant. */
function besideAlias(published: readonly Staying[]): Found | null {
  const aliases = published.filter(({ after }) => after.type === 'ALIAS');
  const others = published.filter(({ after }) => BESIDE_ALIAS.includes(after.type));
  if (aliases.length + others.length <= 1 || aliases.length === 0) return null;
  const message = 'A name has one ALIAS, or A and AAAA records, or a CNAME.';
  return refuse(message, 'type', lastAsked([...aliases, ...others]));
}

function withoutDelegation(name: string, published: readonly Staying[]): Found | null {
  const signers = published.filter(({ after }) => after.type === 'DS');
  const delegated = name !== '@' && published.some(({ after }) => after.type === 'NS');
  if (signers.length === 0 || delegated) return null;
  return refuse('A DS record is only at a name with NS records, below the zone.', 'type', lastAsked(signers));
}

function tooMuch(zone: string, name: string, published: readonly Staying[]): Found | null {
  const question = nameOctets(absoluteName(name, zone)) + 4;
  for (const [type, set] of Map.groupBy(published, ({ after }) => after.type)) {
    if (set.length > MOST_RRSET_RECORDS) {
      const message = `${name} has more than ${MOST_RRSET_RECORDS} ${type} records.`;
      return refuse(message, 'type', lastAsked(set), MOST_RRSET_RECORDS);
    }
    const octets = set.reduce(
      (sum, { after }) => sum + RECORD_HEAD_OCTETS + rdataOctets(type, after),
      question,
    );
    if (octets > MOST_ANSWER_OCTETS) {
      const message = `All ${type} records of ${name} do not fit in one answer.`;
      return refuse(message, 'content', lastAsked(set), MOST_ANSWER_OCTETS);
    }
  }
  return null;
}
