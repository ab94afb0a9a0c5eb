import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination } from '../../api/page.ts';
import { writeZoneFile } from '../../base/dns/zone-file-writer.ts';
import { findRevision, recordsAtRevision } from '../../business/dns/history/revision.ts';
import { authorityOf } from '../../business/dns/zone/authority.ts';
import type { ZoneRecord } from '../../business/dns/zone/record.ts';
import { pageOfRecords, recordsOf } from '../../business/dns/zone/zone-records.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { dnsRecord, wireRecord } from './dns-record.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import { publishedShape, wirePublished, wireZone, zoneShape } from './zone.schema.ts';
import { zoneOrRefuse } from './zone-change.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/dns-records',
  summary: 'The DNS records of a domain',
  description:
    'By name and type. `format: bind` adds the whole zone as a zone file, which domain/dns-update reads back as it was: ' +
    'comments and disabled records are in it as comments. `revision_uuid` shows the records as they were then.',
  audience: 'customer',
  scope: 'domain:read',
  input: z
    .strictObject({
      ...domainReference,
      type: z
        .string()
        .max(16)
        .overwrite((type) => type.toUpperCase())
        .optional(),
      name: z
        .string()
        .max(1_100)
        .overwrite((name) => name.toLowerCase())
        .optional()
        .describe('As records have it: relative to the zone, `@` for its apex.'),
      format: z.enum(['json', 'bind']).default('json'),
      revision_uuid: uuid.optional(),
      page: z.int().min(1).max(100_000).default(1),
      per_page: z.int().min(1).max(1_000).default(100),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    zone: zoneShape,
    records: z.array(dnsRecord),
    zonefile: z.string().nullable(),
    published: publishedShape,
    pagination,
  }),
  message: { en: 'These are the records of the zone.', de: 'Das sind die Einträge der Zone.' },
  errors: ['not_found', 'zone_not_hosted'],
  example: { input: { domain: 'example.com', type: 'MX' } },
  resource: domain,
  async read(ctx, input, found) {
    const zone = await zoneOrRefuse(ctx.db, ctx, found);
    const { revision_uuid: revisionId, type = null, name = null, format } = input;
    const bounds = { offset: offsetOf(input), limit: input.per_page };
    let all: readonly ZoneRecord[] | null = null;
    if (revisionId !== undefined) {
      const revision = await findRevision(ctx.db, zone.id, revisionId);
      if (revision === null) throw ctx.refusal('not_found');
      all = await recordsAtRevision(ctx.db, zone, revision);
      // The oldest are forgotten first: while this one is there, so was all that came since.
      if ((await findRevision(ctx.db, zone.id, revisionId)) === null) throw ctx.refusal('not_found');
    } else if (format === 'bind') all = await recordsOf(ctx.db, zone.id);
    const page =
      all === null
        ? await pageOfRecords(ctx.db, zone.id, { name, type }, bounds)
        : pageAmong(all, { name, type }, bounds);
    return {
      zone: wireZone(zone, found.dns_hosted),
      records: page.records.map(wireRecord),
      zonefile:
        format === 'bind' && all !== null
          ? writeZoneFile(zone.name, zone.default_ttl, authorityOf(zone), all)
          : null,
      published: wirePublished(zone),
      pagination: pageOf(input, page.total),
    };
  },
});

function pageAmong(
  all: readonly ZoneRecord[],
  { name, type }: { readonly name: string | null; readonly type: string | null },
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const matching = all.filter(
    (record) => (name === null || record.name === name) && (type === null || record.type === type),
  );
  return { records: matching.slice(offset, offset + limit), total: matching.length };
}
