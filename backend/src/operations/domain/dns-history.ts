import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination } from '../../api/page.ts';
import { wireTime } from '../../base/time.ts';
import {
  findRevision,
  MOST_LISTED,
  pageOfRevisions,
  revisionsKept,
} from '../../business/dns/history/revision.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import { wireDiff, zoneDiff } from './zone.schema.ts';
import { zoneOrRefuse } from './zone-change.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/dns-history',
  summary: 'What was changed in the zone of a domain, and when',
  description:
    `The newest first. In a list each diff shows the first ${MOST_LISTED} records of a kind, and ` +
    '`counts` how many there are; with `revision_uuid` that revision comes alone, and whole. Old ' +
    'revisions are forgotten: the last that is listed is the oldest that can be shown or brought back, and others are not found.',
  audience: 'customer',
  scope: 'domain:read',
  input: z
    .strictObject({
      ...domainReference,
      revision_uuid: uuid.optional(),
      page: z.int().min(1).max(100_000).default(1),
      per_page: z.int().min(1).max(100).default(25),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    domain: z.string(),
    version: z.int(),
    revisions: z.array(
      z.object({
        uuid,
        version: z.int(),
        user_uuid: uuid.nullable().describe('Who asked for it; null: the system.'),
        comment: z.string().nullable(),
        dnssec: z.boolean().nullable().describe('Whether signing was asked for, or its end.'),
        counts: z.object({ added: z.int(), removed: z.int(), changed: z.int() }),
        diff: zoneDiff,
        created_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the changes of the zone.', de: 'Das sind die Änderungen der Zone.' },
  errors: ['not_found', 'zone_not_hosted'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  async read(ctx, input, found) {
    const zone = await zoneOrRefuse(ctx.db, ctx, found);
    const { name, version } = zone;
    if (input.revision_uuid !== undefined) {
      const one = await findRevision(ctx.db, zone.id, input.revision_uuid);
      if (one === null) throw ctx.refusal('not_found');
      const { added, removed, changed } = one.diff;
      const counts = { added: added.length, removed: removed.length, changed: changed.length };
      const revisions = [wireRevision({ ...one, ...counts })];
      return { domain: name, version, revisions, pagination: pageOf({ page: 1, per_page: 1 }, 1) };
    }
    const bounds = { offset: offsetOf(input), limit: input.per_page };
    const revisions = await pageOfRevisions(ctx.db, zone.id, bounds);
    return {
      domain: name,
      version,
      revisions: revisions.map(wireRevision),
      pagination: pageOf(input, await revisionsKept(ctx.db, zone)),
    };
  },
});

type Listed = Awaited<ReturnType<typeof pageOfRevisions>>[number];

function wireRevision({
  id,
  version,
  user_id,
  comment,
  dnssec,
  added,
  removed,
  changed,
  diff,
  created_at,
}: Listed) {
  return {
    uuid: id,
    version,
    user_uuid: user_id,
    comment,
    dnssec,
    counts: { added, removed, changed },
    diff: wireDiff(diff),
    created_at: wireTime(created_at),
  };
}
