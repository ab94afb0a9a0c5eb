import { domainToASCII, domainToUnicode } from 'node:url';
import { obeysBidiRule } from './bidi.ts';
import { isUnicodeLabel } from './idna.ts';

/** A name that can stand in the DNS, without the root's dot: what is stored and what people read. */
export interface DomainName {
  /** Lower case, A-labels for other than ASCII: `xn--bcher-kva.de`. At most 253 octets. */
  readonly ascii: string;
  /** The same with U-labels: `bücher.de`. */
  readonly unicode: string;
  /** The labels of `ascii`, from left to right; at least one, each of 1 to 63 octets. */
  readonly labels: readonly string[];
}

/** Why a text is no domain name, and how to say so. */
export const DOMAIN_NAME_PROBLEMS = {
  empty: 'This must be a domain name.',
  empty_label: 'A part between two dots is empty.',
  label_too_long: 'A part between two dots is longer than 63 octets.',
  name_too_long: 'The whole name is longer than 253 octets.',
  hyphen: 'A part begins or ends with a hyphen.',
  reserved_hyphens: 'Two hyphens in the third and fourth place are reserved for encoded names.',
  character: 'Only letters, digits, hyphens and dots can be in a domain name.',
  not_idna:
    'A part holds characters, or an encoding of characters, that domain names cannot have (IDNA2008).',
  bidi: 'Letters that are written from right to left are mixed with others so that nobody reads what was typed.',
  address: 'This is an IP address or a number, not a domain name.',
} as const;
export type DomainNameProblem = keyof typeof DOMAIN_NAME_PROBLEMS;

export type DomainNameReading =
  | { readonly ok: true; readonly name: DomainName }
  | { readonly ok: false; readonly problem: DomainNameProblem };

const MOST_OCTETS = 253;
const MOST_LABEL_OCTETS = 63;
/** A name of 253 octets has fewer characters than this however it is decomposed; more is not worth mapping. */
const MOST_CHARACTERS = 1_000;

const ROOT = /[.\u3002\uff0e\uff61]$/u;
const NOT_IN_NAMES = /[^\P{ASCII}A-Za-z0-9.-]/u;
const PLAIN = /^(?!.*xn--)[a-z0-9.-]*$/i;

/**
 * Reads a host or domain name as people type it: any case, Unicode or punycode, spaces around it and the
 * root's dot. Unicode is mapped by UTS 46 (non-transitional, so ß and ς stay what they are) and must then be
 * valid under IDNA2008 (RFC 5891, RFC 5892); labels are LDH (RFC 952, RFC 1123). A single label is a name.
 */
export function readDomainName(text: string): DomainNameReading {
  const typed = text.trim().replace(ROOT, '');
  if (typed === '') return failed(text.trim() === '' ? 'empty' : 'empty_label');
  if (typed.length > MOST_CHARACTERS) return failed('name_too_long');
  if (NOT_IN_NAMES.test(typed)) return failed('character');
  const ascii = PLAIN.test(typed) ? typed.toLowerCase() : mapped(typed);
  if (ascii === null) return failed(readsAsTyped(typed) ? 'not_idna' : 'bidi');
  if (ascii === '') return failed('empty');
  const labels = ascii.split('.');
  for (const label of labels) {
    const problem = labelProblem(label);
    if (problem !== null) return failed(problem);
  }
  if (ascii.length > MOST_OCTETS) return failed('name_too_long');
  if (labels.length > 1 && /^[0-9]+$/.test(labels.at(-1) ?? '')) return failed('address');
  return withUnicode(ascii, labels);
}

/** The U-label form of a name that is known to be valid, for people to read. */
export function unicodeName(ascii: string): string {
  return ascii.includes('xn--') ? domainToUnicode(ascii) : ascii;
}

function labelProblem(label: string): DomainNameProblem | null {
  if (label === '') return 'empty_label';
  if (label.length > MOST_LABEL_OCTETS) return 'label_too_long';
  if (!/^[a-z0-9-]*$/.test(label)) return 'character';
  if (label.startsWith('-') || label.endsWith('-')) return label.startsWith('xn--') ? 'not_idna' : 'hyphen';
  if (label.slice(2, 4) === '--' && !label.startsWith('xn--')) return 'reserved_hyphens';
  return null;
}

/**
 * UTS 46 as the WHATWG's URL standard applies it, which is lenient: unusable punycode stays as it is. A label
 * is added so that no name is taken for an IPv4 address.
 */
function mapped(typed: string): string | null {
  const ascii = domainToASCII(`${typed}.x`);
  return ascii.endsWith('.x') ? ascii.slice(0, -2) : null;
}

/** Only says why: what the mapping refused is not mapped, so this is done by hand, and nearly. */
function readsAsTyped(typed: string): boolean {
  return obeysBidiRule(typed.normalize('NFKC').toLowerCase().split('.'));
}

/** Encoded labels must decode to U-labels that encode to the same again. */
function withUnicode(ascii: string, labels: readonly string[]): DomainNameReading {
  if (!labels.some((label) => label.startsWith('xn--'))) {
    return { ok: true, name: { ascii, unicode: ascii, labels } };
  }
  const unicode = labels.map((label) => (label.startsWith('xn--') ? domainToUnicode(label) : label));
  const valid = unicode.every((label, at) => label === labels[at] || isUnicodeLabel(label));
  const decoded = unicode.every((label) => !label.startsWith('xn--'));
  if (!obeysBidiRule(unicode)) return failed('bidi');
  if (!valid || !decoded || mapped(unicode.join('.')) !== ascii) return failed('not_idna');
  return { ok: true, name: { ascii, unicode: unicode.join('.'), labels } };
}

function failed(problem: DomainNameProblem): DomainNameReading {
  return { ok: false, problem };
}
