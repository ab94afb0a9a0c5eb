import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { planRollback } from '../../business/dns/plan/rollback.ts';
import { domain } from '../../business/domains/domain.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import {
  changeOrPreview,
  changeSettled,
  lockedZoneOrRefuse,
  plannedOrRefuse,
  ZONE_CHANGE_ERRORS,
  zoneChanged,
} from './zone-change.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/dns-rollback',
  summary: 'Make the zone of a domain what it was at a revision',
  description:
    'Undoes everything since then, as a revision of its own, which can be undone in turn. Signing, and what the system ' +
    'keeps, stay as they are. A zone that today’s rules would not take is refused. A revision that was forgotten is not found ' +
    '(`domain/dns-history`).',
  audience: 'customer',
  scope: 'domain:write',
  input: z
    .strictObject({
      ...domainReference,
      revision_uuid: uuid,
      expected_version: z.int().min(1).optional(),
      comment: z.string().trim().max(255).optional(),
      dry_run: z.boolean().default(false).describe('Tell the diff; change nothing.'),
    })
    .superRefine(namesOneDomain),
  output: zoneChanged,
  message: { en: 'The zone is what it was.', de: 'Die Zone ist wieder, was sie war.' },
  errors: ZONE_CHANGE_ERRORS,
  example: { input: { domain: 'example.com', revision_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: domain,
  async handle(tx, ctx, input, found) {
    const zone = await lockedZoneOrRefuse(tx, ctx, found, input.expected_version);
    const planned = await planRollback(tx, zone, input.revision_uuid);
    if (planned === null) throw ctx.refusal('not_found');
    return await changeOrPreview(tx, ctx, { zone, domain: found }, plannedOrRefuse(ctx, planned), {
      comment: input.comment || null,
      dnssec: null,
      dryRun: input.dry_run,
    });
  },
  settle: (data, _task, ctx) => changeSettled(ctx.db, data),
});
