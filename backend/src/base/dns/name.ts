import { domainToUnicode } from 'node:url';
import { DOMAIN_NAME_PROBLEMS, readDomainName } from '../domain-name.ts';
import { fail } from './fault.ts';
import { escapeOctet, octetsOf } from './presentation.ts';

/**
 * Names are texts here: absolute, in lower case, labels with other than ASCII letters as A-labels, without the root's
 * dot. The root is the empty text. Escapes are those that RFC 1035 §5.1 asks for, each octet in one way.
 */
export type Name = string;

/** Turns a name as it was written into an absolute one. */
export type NameReader = (written: string) => Name;

const MOST_LABEL_OCTETS = 63;
/** With a length before each label and an empty label at the end (RFC 1035 §2.3.4). */
const MOST_NAME_OCTETS = 255;
/** No valid name is written longer: four characters for each octet. */
const MOST_CHARACTERS = 4 * MOST_NAME_OCTETS;

const FULL_STOPS = /[\u3002\uff0e\uff61]/gu;
const LABELS = /(?:\\[0-9]{3}|\\.|[^.\\])+|\\|\./gsu;
/** Nearly all names: labels as they are kept, but for capital letters. What is more is read octet by octet. */
const PLAIN = /^[a-z0-9_*/-]{1,63}(?:\.[a-z0-9_*/-]{1,63})*\.?$/i;
const A_LABEL = /xn--/i;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const OWNER_LABEL = /^[a-z0-9_/-]+$/;
/** What zone files need escapes for in names, and name servers write in different ways. */
const UNSAFE = new Set('";()@$');

/** How names are written in forms and requests: without a dot relative to the zone, with any dot absolute. */
export function namesInForm(zone: Name): NameReader {
  return (written) => {
    if (written === '@') return zone;
    const { labels, absolute } = readLabels(written);
    return absolute || labels.length > 1 ? join(labels) : join([...labels, ...labelsOf(zone)]);
  };
}

/** How names are written in zone files: relative to the origin unless they end with a dot. */
export function namesInFile(origin: Name): NameReader {
  return (written) => {
    if (written === '@') return origin;
    const { labels, absolute } = readLabels(written);
    return join(absolute ? labels : [...labels, ...labelsOf(origin)]);
  };
}

/**
 * The owner of a record as it is written in forms and requests, relative to the zone, with `@` for its apex. A name
 * that ends with the zone's own is taken for absolute: what is really below it again is written with a dot at its end.
 */
export function ownersInForm(zone: Name): NameReader {
  return (written) => {
    if (written === '@') return zone;
    const { labels, absolute } = readLabels(written);
    const name = join(labels);
    return absolute || isWithin(name, zone) ? name : join([...labels, ...labelsOf(zone)]);
  };
}

/** Fails unless records can be at the name: in the zone, of letters, digits, `-`, `_` and `/`, `*` only at its left. */
export function requireOwner(name: Name, zone: Name): void {
  if (!isWithin(name, zone)) fail('not_allowed', `${name}. is not in the zone ${zone}.`);
  const labels = labelsOf(name.slice(0, name.length - zone.length));
  labels.forEach((label, at) => {
    if (label === '*' && at === 0) return;
    if (label.includes('*')) fail('not_allowed', 'A wildcard is one * and the first part of a name.');
    if (!OWNER_LABEL.test(label)) {
      fail('not_allowed', 'Records can be at names of letters, digits, hyphens, underscores and slashes.');
    }
  });
}

/** As records keep their names: `@`, `www`, or with a dot at its end what would otherwise be read as something else. */
export function relativeName(name: Name, zone: Name): string {
  if (name === zone) return '@';
  const relative = name.slice(0, -zone.length - 1);
  return isWithin(relative, zone) ? `${name}.` : relative;
}

/** The inverse of `relativeName`. */
export function absoluteName(relative: string, zone: Name): Name {
  if (relative === '@') return zone;
  return relative.endsWith('.') ? relative.slice(0, -1) : `${relative}.${zone}`;
}

/** Whether a name is the zone's or below it. Not for names in whose labels there are dots. */
export function isWithin(name: Name, zone: Name): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Every name above one, the nearest first, down to the zone's own and without it. */
export function namesBetween(name: Name, zone: Name): Name[] {
  const above: Name[] = [];
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    const parent = name.slice(at + 1);
    if (!parent.endsWith(`.${zone}`)) break;
    above.push(parent);
  }
  return above;
}

/** Whether a name is one that a host can have (RFC 952, RFC 1123 §2.1), which `_` is not part of. */
export function isHostName(name: Name): boolean {
  const labels = name.split('.');
  return labels.every((label) => HOST_LABEL.test(label)) && !/^[0-9]+$/.test(labels.at(-1) ?? '');
}

/** What a name takes in a message, uncompressed. */
export function nameOctets(name: Name): number {
  if (name === '') return 1;
  return (name.includes('\\') ? name.replace(/\\([0-9]{3}|.)/gsu, 'x') : name).length + 2;
}

function readLabels(written: string): { labels: string[]; absolute: boolean } {
  if (written === '') fail('required', 'A name is missing.');
  if (written === '.') return { labels: [], absolute: true };
  if (written.length > MOST_CHARACTERS) failTooLong();
  if (PLAIN.test(written) && !A_LABEL.test(written)) {
    const absolute = written.endsWith('.');
    return { labels: (absolute ? written.slice(0, -1) : written).toLowerCase().split('.'), absolute };
  }
  const labels: string[] = [];
  let afterDot = true;
  for (const [part] of written.replace(FULL_STOPS, '.').matchAll(LABELS)) {
    if (part !== '.') labels.push(canonicalLabel(part));
    else if (afterDot) fail('invalid_format', DOMAIN_NAME_PROBLEMS.empty_label);
    afterDot = part === '.';
  }
  return { labels, absolute: afterDot };
}

function canonicalLabel(written: string): string {
  if (/[^\p{ASCII}]/u.test(written)) return encodedLabel(written);
  const octets = octetsOf(written);
  if (octets.length > MOST_LABEL_OCTETS) {
    fail('too_long', DOMAIN_NAME_PROBLEMS.label_too_long, { limit: MOST_LABEL_OCTETS });
  }
  let label = '';
  for (const octet of octets) label += canonicalOctet(octet);
  if (label.startsWith('xn--') && !decodes(label)) fail('invalid_format', `${label} is broken punycode.`);
  return label;
}

function canonicalOctet(octet: number): string {
  const character = String.fromCharCode(octet).toLowerCase();
  if (octet <= 0x20 || octet >= 0x7f) return escapeOctet(octet);
  if (UNSAFE.has(character)) fail('not_allowed', `${character} cannot be in a name here.`);
  return character === '.' || character === '\\' ? `\\${character}` : character;
}

function encodedLabel(written: string): string {
  const found = readDomainName(written);
  if (!found.ok) return fail('invalid_format', DOMAIN_NAME_PROBLEMS[found.problem]);
  if (found.name.labels.length > 1) return fail('invalid_format', DOMAIN_NAME_PROBLEMS.not_idna);
  return found.name.ascii;
}

/** Only that it can be decoded: names exist that IDNA2008 would not allow, and records may point to them. */
function decodes(label: string): boolean {
  const unicode = domainToUnicode(label);
  return unicode !== '' && !unicode.startsWith('xn--');
}

/** The labels of a name in which no label holds a dot: a zone's, or what is before it. */
function labelsOf(name: Name): string[] {
  return name.split('.').filter((label) => label !== '');
}

function join(labels: readonly string[]): Name {
  const name = labels.join('.');
  if (nameOctets(name) > MOST_NAME_OCTETS) failTooLong();
  return name;
}

function failTooLong(): never {
  return fail('too_long', DOMAIN_NAME_PROBLEMS.name_too_long, { limit: MOST_NAME_OCTETS - 2 });
}
