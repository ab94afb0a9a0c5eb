import { z } from 'zod';
import { planOf } from '../../business/dns/plan/apply.ts';
import type { ZoneInput } from '../../business/dns/zone/record.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { recordChange, recordInput } from './dns-record.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import {
  changeOrPreview,
  changeSettled,
  lockedZoneOrRefuse,
  plannedOrRefuse,
  ZONE_CHANGE_ERRORS,
  zoneChanged,
} from './zone-change.schema.ts';

/** In a JSON text each character of a zone file may take two, and records have names of members beside them. */
const BODY_LIMIT = 4 * 1024 * 1024;
const MOST_CHANGES = 500;
const MOST_RECORDS = 10_000;
const ZONE_FILE_CHARACTERS = 512 * 1024;

const input = z
  .strictObject({
    ...domainReference,
    changes: z.array(recordChange).min(1).max(MOST_CHANGES).optional(),
    records: z
      .array(recordInput)
      .max(MOST_RECORDS)
      .optional()
      .describe('All of the zone, with `mode: replace`.'),
    zonefile: z
      .string()
      .max(ZONE_FILE_CHARACTERS)
      .optional()
      .describe('All of the zone as a BIND zone file of at most 512 KiB, with `mode: replace`.'),
    mode: z.enum(['patch', 'replace']).default('patch'),
    expected_version: z.int().min(1).optional(),
    comment: z.string().trim().max(255).optional().describe('Kept with the revision.'),
    dnssec: z.boolean().optional().describe('Sign the zone, or end that; alone or with a change.'),
    dry_run: z.boolean().default(false).describe('Check everything and tell the diff; change nothing.'),
  })
  .superRefine(namesOneDomain)
  .superRefine((given, ctx) => {
    const { changes, records, zonefile, dnssec, mode } = given;
    const ways = [changes, records, zonefile].filter((way) => way !== undefined).length;
    const issue = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], input: given, message });
    if (ways > 1) issue('changes', 'Only one of changes, records and zonefile can be given.');
    if (ways === 0 && dnssec === undefined)
      issue('changes', 'One of changes, records, zonefile and dnssec is needed.');
    if (changes !== undefined && mode === 'replace') issue('mode', 'Changes come with mode: patch.');
    if ((records ?? zonefile) !== undefined && mode === 'patch')
      issue('mode', 'What replaces all of the zone comes with mode: replace.');
  });

export default operation({
  method: 'POST',
  path: 'domain/dns-update',
  summary: 'Change the DNS records of a domain',
  description:
    'All or nothing: single `changes`, or all `records`, or a whole `zonefile` instead of what there is. SOA and the ' +
    'name servers of the zone itself are the system’s and are left out. The records of a name and type have one TTL: a ' +
    'new one changes all of them, as `diff` shows. The change is committed with the answer; the task ends when the name ' +
    'servers serve it. With `expected_version`, nothing that somebody else changed meanwhile is lost.',
  audience: 'customer',
  scope: 'domain:write',
  input,
  output: zoneChanged,
  message: { en: 'The zone was changed.', de: 'Die Zone wurde geändert.' },
  errors: [...ZONE_CHANGE_ERRORS, 'not_supported_for_tld'],
  bodyLimit: BODY_LIMIT,
  example: {
    input: {
      domain: 'example.com',
      changes: [{ action: 'create', type: 'A', name: 'www', content: '192.0.2.1', ttl: 3600 }],
      expected_version: 7,
    },
  },
  resource: domain,
  async handle(tx, ctx, given, found) {
    const zone = await lockedZoneOrRefuse(tx, ctx, found, given.expected_version);
    if (given.dnssec === true && !found.dns_hosted) throw ctx.refusal('zone_not_hosted');
    if (given.dnssec === true && ctx.catalog.tlds.get(found.tld)?.features.dnssec !== true)
      throw ctx.refusal('not_supported_for_tld');
    const plan = plannedOrRefuse(ctx, await planOf(tx, zone, zoneInput(given)));
    return await changeOrPreview(tx, ctx, { zone, domain: found }, plan, {
      comment: given.comment || null,
      dnssec: given.dnssec ?? null,
      dryRun: given.dry_run,
    });
  },
  settle: (data, _task, ctx) => changeSettled(ctx.db, data),
});

function zoneInput({ changes, records, zonefile }: z.output<typeof input>): ZoneInput {
  if (records !== undefined) return { records };
  return zonefile === undefined ? { changes: changes ?? [] } : { zonefile };
}
