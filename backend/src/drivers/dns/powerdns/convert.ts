import { z } from 'zod';
import type { DelegationSigner } from '../../../base/delegation-signer.ts';
import { encodeRdata } from '../../../base/dns/wire/rdata.ts';
import { rdataText } from '../../../base/dns/wire/rdata-text.ts';
import type { RrSet } from '../port.ts';

/** A record set as PowerDNS gives it. */
export const PowerDnsRrSet = z.object({
  name: z.string(),
  type: z.string(),
  ttl: z.int(),
  records: z.array(z.object({ content: z.string(), disabled: z.boolean().optional() })),
});
export type PowerDnsRrSet = z.output<typeof PowerDnsRrSet>;

/** A zone without its records. */
export const PowerDnsZone = z.object({
  kind: z.string(),
  dnssec: z.boolean(),
  /** The serial as it is served, which SOA-EDIT may have changed. */
  edited_serial: z.int(),
  soa_edit: z.string(),
  soa_edit_api: z.string(),
  api_rectify: z.boolean(),
  catalog: z.string(),
  master_tsig_key_ids: z.array(z.string()),
});
export type PowerDnsZone = z.output<typeof PowerDnsZone>;

/** A zone with those of its record sets that were asked for. */
export const PowerDnsFullZone = PowerDnsZone.extend({ rrsets: z.array(PowerDnsRrSet) });
export type PowerDnsFullZone = z.output<typeof PowerDnsFullZone>;

export const PowerDnsKey = z.object({
  active: z.boolean(),
  published: z.boolean().optional(),
  keytype: z.string(),
  ds: z.array(z.string()).optional(),
});
export type PowerDnsKey = z.output<typeof PowerDnsKey>;

/** SHA-256, the one digest that every validator must know (RFC 8624 §3.3). */
const DIGEST_TYPE = 2;

export interface RrSetChange extends PowerDnsRrSet {
  readonly changetype: 'REPLACE' | 'DELETE';
}

/** Thrown for RDATA that cannot be read; the message says where. */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
}

/** A record set in the one form that PowerDNS takes: it refuses most others. */
export function toPowerDns({ name, type, ttl, records }: RrSet): PowerDnsRrSet {
  const contents = records.map((record) => {
    try {
      return rdataText(type, encodeRdata(type, record));
    } catch (error) {
      throw new UnreadableRecord(`${name} ${type} ${record}: ${(error as Error).message}`, { cause: error });
    }
  });
  return { name: `${name}.`, type, ttl, records: contents.map((content) => ({ content, disabled: false })) };
}

/**
 * What is to be changed so that those of `found` become as wanted: only what differs, and what goes before what comes,
 * since PowerDNS takes an alias only where nothing is left beside it.
 */
export function changesBetween(
  found: readonly PowerDnsRrSet[],
  wanted: readonly PowerDnsRrSet[],
): RrSetChange[] {
  const before = new Map(found.map((rrset) => [keyOf(rrset), rrset]));
  const changes = wanted.flatMap((rrset): RrSetChange[] => {
    const there = before.get(keyOf(rrset));
    if (rrset.records.length === 0) return there === undefined ? [] : [{ ...rrset, changetype: 'DELETE' }];
    return there !== undefined && isSame(there, rrset) ? [] : [{ ...rrset, changetype: 'REPLACE' }];
  });
  return changes.sort((one, other) => one.changetype.localeCompare(other.changetype));
}

/** Of those of `found` that nobody wants, the removal. */
export function removalsOf(found: readonly PowerDnsRrSet[], wanted: readonly PowerDnsRrSet[]): RrSetChange[] {
  const named = new Set(wanted.map(keyOf));
  return found
    .filter((rrset) => !named.has(keyOf(rrset)))
    .map((rrset) => ({ ...rrset, records: [], changetype: 'DELETE' }));
}

/** What the parent is to publish of these keys: those that sign keys. */
export function signersOf(keys: readonly PowerDnsKey[]): readonly DelegationSigner[] {
  return keys
    .filter(({ active, published, keytype }) => active && published !== false && keytype !== 'zsk')
    .flatMap(({ ds }) => ds ?? [])
    .map((text) => text.split(' '))
    .map(([keyTag, algorithm, digestType, ...digest]) => ({
      keyTag: Number(keyTag),
      algorithm: Number(algorithm),
      digestType: Number(digestType),
      digest: digest.join('').toUpperCase(),
    }))
    .filter(({ digestType }) => digestType === DIGEST_TYPE);
}

function keyOf({ name, type }: PowerDnsRrSet): string {
  return `${name.toLowerCase()} ${type}`;
}

function isSame(one: PowerDnsRrSet, other: PowerDnsRrSet): boolean {
  return one.ttl === other.ttl && contentsOf(one) === contentsOf(other);
}

/** Compared as octets, whatever the form; without an order. A disabled record is not served. */
function contentsOf({ type, records }: PowerDnsRrSet): string {
  return records
    .filter(({ disabled }) => disabled !== true)
    .map(({ content }) => octetsOf(type, content))
    .sort()
    .join(' ');
}

function octetsOf(type: string, content: string): string {
  try {
    return encodeRdata(type, content).toString('hex');
  } catch {
    // Written by somebody else, in a form of which we know nothing: it differs from all of ours.
    return content;
  }
}
