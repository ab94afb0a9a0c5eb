import {
  array,
  boolean,
  filledString,
  integer,
  matching,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
  uuid,
} from '../shape.ts';

/* Payloads of the tools group: section 8 of the payload document. */

const country = matching('an ISO 3166-1 code', /^[A-Z]{2}$/);
const decimal = matching('decimal text', /^(0|[1-9]\d*)$/);

export const uuids = object({ uuids: array(uuid), version: oneOf(4, 7), count: integer });

export const iban = object({
  iban: filledString,
  formatted: filledString,
  valid: boolean,
  checks: object({ country: boolean, length: boolean, format: boolean, checksum: boolean }),
  country: nullable(country),
  country_name: nullable(filledString),
  sepa: boolean,
  check_digits: nullable(matching('two digits', /^\d\d$/)),
  bban: nullable(filledString),
  bank_code: nullable(filledString),
  branch_code: nullable(filledString),
  account_number: nullable(filledString),
  bank: nullable(
    object({
      name: filledString,
      bic: nullable(matching('a BIC', /^[A-Z0-9]{8}([A-Z0-9]{3})?$/)),
      city: nullable(string),
    }),
  ),
});

export const network = object({
  address: filledString,
  version: oneOf(4, 6),
  cidr: matching('a network in CIDR notation', /^[0-9a-f.:]+\/\d{1,3}$/),
  network: filledString,
  netmask: nullable(filledString),
  broadcast: nullable(filledString),
  first_host: filledString,
  last_host: filledString,
  total_addresses: decimal,
  usable_addresses: decimal,
  scope: oneOf('global', 'private', 'loopback', 'link_local', 'documentation', 'multicast', 'reserved'),
  reverse_zone: matching('a reverse zone', /^([0-9a-f]+(-[0-9a-f]+)?(\/\d+)?\.)*(in-addr|ip6)\.arpa$/),
  ptr: nullable(filledString),
  resolved: array(filledString),
  asn: nullable(object({ number: integer, name: string })),
  country: nullable(country),
});

export const whois = object({
  query: filledString,
  type: oneOf('domain', 'ipv4', 'ipv6', 'asn'),
  source: oneOf('rdap', 'whois', 'local'),
  server: string,
  registered: nullable(boolean),
  registrar: nullable(
    object({
      name: filledString,
      iana_id: nullable(integer),
      url: nullable(filledString),
      abuse_email: nullable(filledString),
      abuse_phone: nullable(filledString),
    }),
  ),
  status: array(filledString),
  nameservers: array(filledString),
  dnssec: nullable(boolean),
  created_at: nullable(timestamp),
  updated_at: nullable(timestamp),
  expire_at: nullable(timestamp),
  network: nullable(object({ cidr: filledString, name: string, country: nullable(country) })),
  raw: nullable(string),
  cached: boolean,
  fetched_at: timestamp,
});
