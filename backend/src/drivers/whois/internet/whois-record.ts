import { readAddress, writeAddress } from '../../../base/network.ts';
import type { WhoisRegistrar } from '../port.ts';
import { prefixesBetween } from './rdap-record.ts';
import { hostNames, moment, plainText, statuses, type Told } from './told.ts';

// WHOIS (RFC 3912) has no form. These are the words of registries and registrars for the same things.
const KEYS = {
  registrar: ['registrar', 'registrar name', 'sponsoring registrar', 'registrar organization'],
  ianaId: ['registrar iana id'],
  registrarUrl: ['registrar url', 'registrar website', 'referral url', 'url'],
  abuseEmail: ['registrar abuse contact email', 'abuse contact email', 'orgabuseemail'],
  abusePhone: ['registrar abuse contact phone', 'abuse contact phone', 'orgabusephone'],
  status: ['domain status', 'status', 'state', 'registration status', 'eppstatus'],
  nameservers: [
    'name server',
    'name servers',
    'nserver',
    'nameserver',
    'nameservers',
    'domain servers',
    'dns',
  ],
  dnssec: ['dnssec', 'dnssec signed'],
  keys: ['ds-rdata', 'ds record', 'dsrecord', 'ds', 'dnskey', 'dnssec ds data', 'signing key', 'keyset'],
  created: [
    'creation date',
    'created',
    'created on',
    'created date',
    'registered',
    'registered on',
    'regdate',
  ].concat([
    'registration date',
    'registration time',
    'domain registration date',
    'domain create date',
    'first registration date',
  ]),
  updated: [
    'updated date',
    'last updated',
    'last updated on',
    'last update',
    'last modified',
    'modified',
  ].concat(['changed', 'updated', 'last-update', 'modification date', 'domain last updated date']),
  expire: [
    'registry expiry date',
    'registrar registration expiration date',
    'expiry date',
    'expiration date',
  ].concat([
    'expires',
    'expires on',
    'expire',
    'expire date',
    'expiration time',
    'paid-till',
    'renewal date',
    'valid-date',
  ]),
  range: ['inetnum', 'inet6num', 'netrange'],
  cidr: ['cidr', 'route', 'route6'],
  system: ['aut-num', 'asnumber'],
  networkName: ['netname', 'as-name', 'asname'],
  country: ['country'],
} as const;
type Name = keyof typeof KEYS;

/** The words that there is no such registration. */
const ABSENT = [
  /^[%#>* ]{0,9}(no match\b|not found\b|no entries found|no data found|no object found|nothing found)/im,
  /^[%#>* ]{0,9}(no such domain|domain not found|object does not exist|no information (was )?found|available$)/im,
  /^[%#>* ]{0,9}(domain )?status:\s{0,40}(free|available|no object found)\b/im,
  /\b(is|was) (free|available for registration|not registered|not found)\b|\bno match(es)?\b/i,
  /\b(has not been registered|do not have an entry in our database)\b/i,
];

/** Longer lines hold nothing for us, and nobody's patterns should have to walk over them. */
const LONGEST_LINE = 1_000;

/** An answer with its lines cut to a length at which reading them costs nothing. */
export function shortened(text: string): string {
  return text.replace(/[^\n]{1000,}/g, (line) => line.slice(0, LONGEST_LINE));
}

const LINE = /^[\s%*]{0,8}(?:\[)?([a-z][a-z0-9 ./_-]{0,60}?)\s*(?:\]|\.{0,40}:)\s*(.*)$/i;

/** All values by their keys in lower case, in order. Some registries put values in lines of their own, indented. */
function fields(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let heading: string | null = null;
  for (const line of shortened(text).split(/\r?\n/)) {
    const match = line.startsWith('%') || line.startsWith('#') ? null : LINE.exec(line);
    const key = match?.[1]?.toLowerCase() ?? null;
    const value = match?.[2]?.trim() ?? '';
    const indented = /^\s/.test(line) && line.trim() !== '';
    if (heading !== null && indented && (key === null || !KNOWN.has(key))) {
      add(found, heading, line.trim());
    } else if (key !== null) {
      heading = value === '' ? key : null;
      if (value !== '') add(found, key, value);
    } else {
      heading = null;
    }
  }
  return found;
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(KEYS).flat());

function add(found: Map<string, string[]>, key: string, value: string): void {
  const values = found.get(key);
  if (values === undefined) found.set(key, [value]);
  else values.push(value);
}

/** What a WHOIS answer tells. */
export function readWhois(text: string): Told {
  const found = fields(text);
  const all = (name: Name) => KEYS[name].flatMap((key) => found.get(key) ?? []);
  const first = (name: Name) => all(name)[0] ?? null;
  return {
    registrar: registrarOf(first),
    status: statuses(all('status')),
    nameservers: hostNames(all('nameservers').map((value) => value.split(/[\s,]+/)[0] ?? '')),
    dnssec: signed(first('dnssec'), all('keys').length > 0),
    createdAt: moment(first('created')),
    updatedAt: moment(first('updated')),
    expireAt: moment(first('expire')),
    network: networkOf(first),
  };
}

/** Whether an answer says that there is no such registration, rather than nothing. */
export function saysAbsent(text: string): boolean {
  const short = shortened(text);
  return ABSENT.some((words) => words.test(short));
}

type First = (name: Name) => string | null;

function registrarOf(first: First): WhoisRegistrar | null {
  // Nominet's have a tag behind the name.
  const name = plainText(first('registrar')?.replace(/\s*\[Tag = .*\]$/, ''));
  if (name === null) return null;
  const ianaId = first('ianaId') ?? '';
  return {
    name,
    ianaId: /^\d{1,9}$/.test(ianaId) ? Number(ianaId) : null,
    url: plainText(first('registrarUrl')),
    abuseEmail: plainText(first('abuseEmail')),
    abusePhone: plainText(first('abusePhone')),
  };
}

function signed(said: string | null, hasKeys: boolean): boolean | null {
  if (hasKeys) return true;
  if (said === null) return null;
  return /^(signed|yes|true|active)/i.test(said)
    ? true
    : /^(un|no|false|inactive)/i.test(said)
      ? false
      : null;
}

function networkOf(first: First): Told['network'] {
  const cidr = numberOf(first('system')) ?? rangeOf(first('range')) ?? prefixesOf(first('cidr'));
  if (cidr === null) return null;
  const country = first('country')?.toUpperCase() ?? '';
  return {
    cidr,
    name: plainText(first('networkName')) ?? '',
    country: /^[A-Z]{2}$/.test(country) ? country : null,
  };
}

function numberOf(value: string | null): string | null {
  const number = /^(?:AS)?(\d{1,10})$/i.exec(value ?? '')?.[1];
  return number === undefined ? null : `AS${Number(number)}`;
}

/** ARIN's list of prefixes, or one. */
function prefixesOf(value: string | null): string | null {
  const prefixes = (value ?? '').split(/\s*,\s*/).map((text) => {
    const [written = '', length = ''] = text.split('/');
    const address = readAddress(written);
    return address !== null && /^\d{1,3}$/.test(length) ? `${writeAddress(address)}/${Number(length)}` : null;
  });
  return prefixes.includes(null) ? null : prefixes.join(', ');
}

function rangeOf(value: string | null): string | null {
  const [from = '', to] = (value ?? '').split(/\s+-\s+/);
  return to === undefined ? prefixesOf(from) : prefixesBetween(from, to);
}
