import { about, fail } from './fault.ts';
import {
  characterString,
  characterStrings,
  domainName,
  type Field,
  hostName,
  ipv4,
  ipv6,
  longText,
  MOST_UINT16,
  sequence,
  unsigned,
  Words,
} from './field.ts';
import { CERTIFICATE_ASSOCIATION, DELEGATION_SIGNER, HOST_KEY_FINGERPRINT } from './fingerprint.ts';
import { type Name, type NameReader, namesInFile, namesInForm } from './name.ts';
import { requireCleanText, splitTokens, type Token } from './presentation.ts';
import { NUMBER_FIELDS, type NumberField, type Rdata, type RecordType } from './record.ts';
import { SERVICE_BINDING } from './service-binding.ts';

/** How the RDATA of a type is made up: numbers that are fields of their own, then what is its content. */
interface Format {
  readonly numbers: readonly NumberField[];
  readonly content: Field;
}

const format = (content: Field, ...numbers: NumberField[]): Format => ({ content, numbers });

/** RFC 8659 §4.1. */
const PROPERTY_TAG = /^[a-z0-9]{1,255}$/;
/** RFC 3403 §4.1. */
const NAPTR_FLAGS = /^[a-z0-9]*$/i;
/** RFC 3986 §3.1, and nothing that a URI has to escape. */
const URI = /^[a-z][a-z0-9+.-]*:[!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]*$/i;

const propertyTag: Field = (words) => {
  const tag = words.plain('tag').toLowerCase();
  if (!PROPERTY_TAG.test(tag)) fail('invalid_format', 'The tag must be letters and digits, such as issue.');
  return { text: tag, octets: tag.length + 1 };
};

const naptrRest = sequence(
  unsigned('order', 2),
  unsigned('preference', 2),
  characterString('flags', (octets) => {
    if (!NAPTR_FLAGS.test(octets.toString('latin1')))
      fail('invalid_format', 'The flags must be letters and digits.');
  }),
  characterString('services'),
);
const naptrRegexp = characterString('regexp');
const naptrReplacement = domainName('replacement');

/** RFC 3403 §4.1: a regular expression or a replacement, never both. */
const namingAuthority: Field = (words, names) => {
  const parts = [naptrRest, naptrRegexp, naptrReplacement].map((field) => field(words, names));
  const [, regexp, replacement] = parts;
  if (regexp?.text !== '""' && replacement?.text !== '.') {
    fail('not_allowed', 'With a regexp the replacement must be a dot.');
  }
  return sequence(...parts.map((part) => () => part))(words, names);
};

const uri = longText('target', (octets) => {
  if (!URI.test(octets.toString('latin1')))
    fail('invalid_format', 'The target must be a URI such as https://example.com/.');
});

const FORMATS: Readonly<Record<RecordType, Format>> = {
  A: format(ipv4),
  AAAA: format(ipv6),
  ALIAS: format(domainName('target')),
  CAA: format(sequence(unsigned('flags', 1), propertyTag, longText('value'))),
  CNAME: format(domainName('target')),
  DS: format(sequence(...DELEGATION_SIGNER)),
  HTTPS: format(SERVICE_BINDING, 'priority'),
  MX: format(hostName('mail server', 'root'), 'priority'),
  NAPTR: format(namingAuthority),
  NS: format(hostName('name server', 'no root')),
  PTR: format(domainName('target')),
  SMIMEA: format(sequence(...CERTIFICATE_ASSOCIATION)),
  SRV: format(hostName('target', 'root'), 'priority', 'weight', 'port'),
  SSHFP: format(sequence(...HOST_KEY_FINGERPRINT)),
  SVCB: format(SERVICE_BINDING, 'priority'),
  TLSA: format(sequence(...CERTIFICATE_ASSOCIATION)),
  TXT: format(characterStrings),
  URI: format(uri, 'priority', 'weight'),
};

/** RFC 1035 §3.2.1. */
const MOST_RDATA_OCTETS = 65_535;
/** What databases of name servers keep of one record. */
export const MOST_CONTENT_CHARACTERS = 64_000;

export interface RdataInput extends Readonly<Partial<Record<NumberField, number | null | undefined>>> {
  readonly content: string;
}

/**
 * RDATA as customers write it, numbers apart. A name in it without a dot is relative to the zone (`mail`), one with a
 * dot is absolute with or without another at its end (`mail.example.com`), and `@` is the apex. TXT is any text as it
 * is, or character-strings that are all in quotes; in both, backslashes escape.
 */
export function readRdata(type: RecordType, input: RdataInput, zone: Name): Rdata {
  const numbers = readNumbers(type, input);
  const tokens = contentTokens(type, input.content.trim());
  return finished(type, { ...numbers, content: readContent(type, tokens, namesInForm(zone)) });
}

/** Whole RDATA in the words of a zone file (RFC 1035 §5.1). */
export function readFileRdata(type: RecordType, tokens: readonly Token[], names: NameReader): Rdata {
  const words = new Words(tokens);
  const given: { [field in NumberField]?: number } = {};
  for (const field of FORMATS[type].numbers) {
    given[field] = about(field, () => Number(unsigned(field, 2)(words, names).text));
  }
  const numbers = readNumbers(type, given);
  return finished(type, { ...numbers, content: readContent(type, words.rest(), names) });
}

/** What RDATA that was read takes in a message, its names uncompressed. */
export function rdataOctets(type: RecordType, rdata: Rdata): number {
  const { numbers, content } = FORMATS[type];
  return 2 * numbers.length + content(new Words(splitTokens(rdata.content)), namesInFile('')).octets;
}

export function hasNumber(type: RecordType, field: NumberField): boolean {
  return FORMATS[type].numbers.includes(field);
}

function readNumbers(
  type: RecordType,
  input: Omit<RdataInput, 'content'>,
): Record<NumberField, number | null> {
  const numbers: Record<NumberField, number | null> = { priority: null, weight: null, port: null };
  for (const field of NUMBER_FIELDS) {
    const number = input[field] ?? null;
    if (!hasNumber(type, field)) {
      if (number !== null) fail('not_allowed', `${type} records have no ${field}.`, {}, field);
      continue;
    }
    if (number === null) return fail('required', `${type} records need a ${field}.`, {}, field);
    if (!Number.isInteger(number) || number < 0 || number > MOST_UINT16) {
      fail('out_of_range', `The ${field} must be from 0 to ${MOST_UINT16}.`, { limit: MOST_UINT16 }, field);
    }
    numbers[field] = number;
  }
  return numbers;
}

/** RFC 9460 §2.4.2: a service binding of priority 0 is an alias, which has no parameters. */
function finished(type: RecordType, rdata: Rdata): Rdata {
  const isAlias = (type === 'SVCB' || type === 'HTTPS') && rdata.priority === 0;
  if (isAlias && rdata.content.includes(' ')) fail('not_allowed', 'With priority 0 there are no parameters.');
  return rdata;
}

function readContent(type: RecordType, tokens: readonly Token[], names: NameReader): string {
  const words = new Words(tokens);
  const part = FORMATS[type].content(words, names);
  words.end();
  if (part.octets > MOST_RDATA_OCTETS || part.text.length > MOST_CONTENT_CHARACTERS) {
    fail('too_long', 'The content is too long.', { limit: MOST_CONTENT_CHARACTERS });
  }
  return part.text;
}

/** TXT without a quotation mark at its beginning is one text, spaces and all. */
function contentTokens(type: RecordType, content: string): readonly Token[] {
  requireCleanText(content);
  if (content.length > MOST_CONTENT_CHARACTERS) {
    fail('too_long', 'The content is too long.', { limit: MOST_CONTENT_CHARACTERS });
  }
  if (content === '') fail('required', 'The content is missing.');
  if (type !== 'TXT') return splitTokens(content);
  if (!content.startsWith('"')) return [{ raw: requireNoQuotes(content), quoted: true }];
  const tokens = splitTokens(content);
  if (tokens.some(({ quoted }) => !quoted))
    fail('invalid_format', 'All of the text must be in quotes, or none of it.');
  return tokens;
}

function requireNoQuotes(text: string): string {
  return /^(?:[^"\\]|\\.)*\\?$/su.test(text)
    ? text
    : fail('invalid_format', 'A quotation mark within the text is written \\".');
}
