import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import type { ZoneDiff } from '../../business/dns/plan/plan.ts';
import type { Zone } from '../../business/dns/zone/zone.ts';
import { dnsRecord, wireRecord } from './dns-record.schema.ts';

export const zoneShape = z.object({
  domain: z.string(),
  hosted: z.boolean().describe('Whether the domain is delegated to the name servers here.'),
  serial: z.int().describe('Of the newest version that name servers have; 0 before the first.'),
  version: z.int(),
  revision_uuid: uuid.nullable(),
  default_ttl: z.int(),
  dnssec: z.object({
    enabled: z.boolean(),
    state: z
      .enum(['off', 'signing', 'delegating', 'on', 'withdrawing', 'waiting', 'unsigning'])
      .describe('`on`: the registry has the DS. A zone is unsigned long after its DS is gone.'),
    ds: z.array(z.object({ key_tag: z.int(), algorithm: z.int(), digest_type: z.int(), digest: z.string() })),
  }),
  nameservers: z.array(z.string()),
  updated_at: timestamp,
});

/** `hosted`: its domain is delegated to our name servers; the zone may be kept without. */
export function wireZone(zone: Zone, hosted: boolean): z.input<typeof zoneShape> {
  return {
    domain: zone.name,
    hosted,
    serial: Number(zone.serial),
    version: zone.version,
    revision_uuid: zone.revision_id,
    default_ttl: zone.default_ttl,
    dnssec: {
      enabled: zone.dnssec_wanted,
      state: zone.dnssec,
      ds: zone.ds.map(({ keyTag, algorithm, digestType, digest }) => ({
        key_tag: keyTag,
        algorithm,
        digest_type: digestType,
        digest,
      })),
    },
    nameservers: [...zone.nameservers],
    updated_at: wireTime(zone.updated_at),
  };
}

export const publishedShape = z.object({
  nameservers_total: z.int(),
  nameservers_current: z.int().describe('How many serve this version of the zone.'),
  checked_at: timestamp.nullable(),
});

export function wirePublished(zone: Zone): z.input<typeof publishedShape> {
  const isOut = zone.published_version === zone.version;
  return {
    nameservers_total: zone.nameservers.length,
    nameservers_current: isOut ? zone.nameservers_current : 0,
    checked_at: wireTimeOrNull(zone.checked_at),
  };
}

export const zoneDiff = z.object({
  added: z.array(dnsRecord),
  removed: z.array(dnsRecord),
  changed: z.array(z.object({ before: dnsRecord, after: dnsRecord })),
  unchanged: z.int(),
});

export function wireDiff({ added, removed, changed, unchanged }: ZoneDiff): z.input<typeof zoneDiff> {
  return {
    added: added.map(wireRecord),
    removed: removed.map(wireRecord),
    changed: changed.map(({ before, after }) => ({ before: wireRecord(before), after: wireRecord(after) })),
    unchanged,
  };
}
