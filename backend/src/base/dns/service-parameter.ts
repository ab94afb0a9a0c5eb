import { fail } from './fault.ts';
import { octetsOf, quote } from './presentation.ts';
import {
  addresses,
  encodeBase64,
  encodeIpv4,
  encodeIpv6,
  encodePort,
  encodeProtocols,
  list,
  protocols,
  requireEmpty,
  requireLength,
  requireSome,
} from './service-value.ts';

/** A parameter of a service binding (RFC 9460 §2.1): its number, and its value as it is sent. */
export interface ServiceParameter {
  readonly key: number;
  readonly value: Buffer;
}

/** How a value that is known is written, sent and written again; both ways fail for values that are not valid. */
interface Format {
  readonly name: string;
  readonly encode: (written: Buffer) => Buffer;
  readonly write: (value: Buffer) => string;
}

export const MANDATORY = 0;
export const ALPN = 1;
export const NO_DEFAULT_ALPN = 2;
/** RFC 9460 §14.3.2. */
const INVALID_KEY = 65_535;

/** The names of RFC 9461 and others are read, but not every name server knows them: they are written as numbers. */
const DOH_PATH = 7;
const OHTTP = 8;
const NAMED_ONLY: ReadonlyMap<string, number> = new Map([
  ['dohpath', DOH_PATH],
  ['ohttp', OHTTP],
]);

const FORMATS: readonly Format[] = [
  { name: 'mandatory', encode: encodeMandatory, write: writeMandatory },
  { name: 'alpn', encode: encodeProtocols, write: (value) => `=${protocols(value).join(',')}` },
  { name: 'no-default-alpn', encode: requireEmpty, write: (value) => requireEmpty(value).toString() },
  { name: 'port', encode: encodePort, write: (value) => `=${requireLength(value, 2).readUInt16BE()}` },
  { name: 'ipv4hint', encode: encodeIpv4, write: (value) => `=${addresses(value, 4).join(',')}` },
  { name: 'ech', encode: encodeBase64, write: (value) => `="${requireSome(value).toString('base64')}"` },
  { name: 'ipv6hint', encode: encodeIpv6, write: (value) => `=${addresses(value, 6).join(',')}` },
];

/** Reads `key`, `key=value` or `key="value"`. */
export function readParameter(word: string): ServiceParameter {
  const [, name = '', written] = /^([^=]*)(?:=(.*))?$/su.exec(word) ?? [];
  const key = keyNumber(name);
  const octets = octetsOf(unquoted(written ?? ''));
  if (!name.startsWith('key') && FORMATS[key] !== undefined) {
    const known = FORMATS[key];
    if (written === undefined && key !== NO_DEFAULT_ALPN) fail('required', `${name} needs a value.`);
    return { key, value: known.encode(octets) };
  }
  if (key === DOH_PATH) requireDohPath(octets);
  if (key === OHTTP) requireEmpty(octets);
  // PowerDNS 4.7 takes these in no way of writing them.
  if (FORMATS[key] === undefined && /[();]/.test(octets.toString('latin1'))) {
    fail('not_allowed', 'Values of parameters cannot hold parentheses and semicolons.');
  }
  return { key, value: octets };
}

/** The one way to write a parameter that PowerDNS 4.7 takes as well. */
export function writeParameter({ key, value }: ServiceParameter): string {
  const format = FORMATS[key];
  return format === undefined ? `${keyName(key)}=${quote(value)}` : `${format.name}${format.write(value)}`;
}

export function keyName(key: number): string {
  return FORMATS[key]?.name ?? `key${key}`;
}

/** The keys of a `mandatory`. */
export function mandatoryKeys(value: Buffer): number[] {
  return Array.from({ length: value.length / 2 }, (_, at) => value.readUInt16BE(at * 2));
}

function keyNumber(name: string): number {
  const known = FORMATS.findIndex((format) => format.name === name);
  if (known !== -1) return known;
  const named = NAMED_ONLY.get(name);
  if (named !== undefined) return named;
  const [, digits] = /^key(0|[1-9][0-9]{0,4})$/.exec(name) ?? [];
  if (digits === undefined || Number(digits) >= INVALID_KEY) {
    return fail(
      'not_allowed',
      `${name.slice(0, 40) || 'This'} is no parameter; others are written key0 to key65534.`,
    );
  }
  return Number(digits);
}

function unquoted(written: string): string {
  if (!written.startsWith('"')) return written;
  if (written.length < 2 || !written.endsWith('"'))
    fail('invalid_format', 'A value goes on after its quotes.');
  return written.slice(1, -1);
}

function encodeMandatory(written: Buffer): Buffer {
  const keys = list(written)
    .map(keyNumber)
    .sort((a, b) => a - b);
  const value = Buffer.alloc(keys.length * 2);
  for (const [at, key] of keys.entries()) value.writeUInt16BE(key, at * 2);
  return value;
}

function writeMandatory(value: Buffer): string {
  if (value.length === 0 || value.length % 2 !== 0)
    fail('invalid_format', 'mandatory must be a list of keys.');
  const keys = mandatoryKeys(value);
  if (keys.some((key, at) => at > 0 && key <= (keys[at - 1] ?? 0))) {
    fail('not_allowed', 'mandatory names each key once.');
  }
  if (keys.includes(MANDATORY)) fail('not_allowed', 'mandatory cannot name itself.');
  return `=${keys.map(keyName).join(',')}`;
}

function requireDohPath(value: Buffer): void {
  const template = value.toString('latin1');
  if (!/^\/[!-~]*$/.test(template) || !/\{[^}]*\bdns\b[^}]*\}/.test(template)) {
    fail('invalid_format', 'dohpath must be a template with the variable dns, such as /dns-query{?dns}.');
  }
}
