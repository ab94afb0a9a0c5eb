import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { type AppliedChange, applyPlan, type ChangedBy } from '../../business/dns/plan/apply.ts';
import type { Planning, ZonePlan } from '../../business/dns/plan/plan.ts';
import { lockZoneOfDomain, type Zone, zoneOfDomain } from '../../business/dns/zone/zone.ts';
import type { Domain } from '../../business/domains/domain.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../errors.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { publishedShape, wireDiff, wirePublished, wireZone, zoneDiff, zoneShape } from './zone.schema.ts';

type Executor = Parameters<typeof zoneOfDomain>[0];
type Transaction = Parameters<typeof applyPlan>[0];

/** What both changing operations answer. */
export const zoneChanged = z.object({
  zone: zoneShape,
  applied: z.boolean().describe('Whether it is committed; `published` says whether it can be seen.'),
  diff: zoneDiff,
  revision_uuid: uuid.nullable().describe('null: nothing changed.'),
  previous_revision_uuid: uuid.nullable(),
  warnings: z.array(z.object({ pointer: z.string(), error: z.string(), message: z.string() })),
  published: publishedShape,
  task: task.nullable(),
});

export const ZONE_CHANGE_ERRORS = [
  'not_found',
  'zone_not_hosted',
  'version_mismatch',
  'dns_record_invalid',
  'state_conflict',
] as const;

interface ChangingContext {
  readonly uow: UnitOfWork;
  readonly caller: { readonly userId: string };
  refusal(code: (typeof ZONE_CHANGE_ERRORS)[number], detail?: RefusalDetail): Refusal;
}

/** The domain's zone, locked, at the version that was expected. */
export async function lockedZoneOrRefuse(
  tx: Transaction,
  ctx: ChangingContext,
  domain: Domain,
  expected: number | undefined,
): Promise<Zone> {
  const zone = await lockZoneOfDomain(tx, domain.id);
  if (zone === null) throw ctx.refusal('zone_not_hosted');
  if (zone.remove_at !== null)
    throw ctx.refusal('state_conflict', { members: { current_state: domain.shown_state } });
  if (expected !== undefined && expected !== zone.version)
    throw ctx.refusal('version_mismatch', { members: { current_version: zone.version } });
  return zone;
}

export async function zoneOrRefuse(
  db: Executor,
  ctx: { refusal(code: 'zone_not_hosted'): Refusal },
  domain: Domain,
): Promise<Zone> {
  const zone = await zoneOfDomain(db, domain.id);
  if (zone === null) throw ctx.refusal('zone_not_hosted');
  return zone;
}

export function plannedOrRefuse(ctx: ChangingContext, planned: Planning): ZonePlan {
  if (planned.ok) return planned.plan;
  throw invalidRecords(ctx, planned.errors);
}

export function invalidRecords(ctx: ChangingContext, errors: readonly InputProblem[]): Refusal {
  const [first] = errors;
  return ctx.refusal('dns_record_invalid', {
    errors,
    members: { reason: first?.message ?? '', fields: errors.map(({ pointer }) => pointer) },
  });
}

/** What a planned change comes to, written unless it only was to be looked at. */
export async function changeOrPreview(
  tx: Transaction,
  ctx: ChangingContext,
  { zone, domain }: { readonly zone: Zone; readonly domain: Domain },
  plan: ZonePlan,
  by: Pick<ChangedBy, 'comment' | 'dnssec'> & { readonly dryRun: boolean },
): Promise<z.input<typeof zoneChanged>> {
  const { added, removed, changed } = plan.diff;
  const isChange =
    added.length + removed.length + changed.length > 0 ||
    (by.dnssec !== null && by.dnssec !== zone.dnssec_wanted);
  const { comment } = by;
  const dnssec = by.dnssec === zone.dnssec_wanted ? null : by.dnssec;
  const change: AppliedChange | null =
    by.dryRun || !isChange
      ? null
      : await applyPlan(tx, ctx.uow, zone, plan, {
          userId: ctx.caller.userId,
          comment,
          dnssec,
          watched: true,
        });
  const after = change?.zone ?? zone;
  return {
    zone: wireZone(after, domain.dns_hosted),
    applied: !by.dryRun,
    diff: wireDiff(plan.diff),
    revision_uuid: change?.revisionId ?? null,
    previous_revision_uuid: zone.revision_id,
    warnings: [...plan.warnings],
    published: wirePublished(after),
    task: change?.task ?? null,
  };
}

/** The same once the change can be seen (`Prefer: wait`). */
export async function changeSettled(
  db: Executor,
  data: z.input<typeof zoneChanged>,
): Promise<z.input<typeof zoneChanged>> {
  const zone = data.task === null ? null : await zoneOfDomain(db, data.task.resource.uuid);
  if (zone === null || zone.version !== data.zone.version) return data;
  return { ...data, zone: wireZone(zone, data.zone.hosted), published: wirePublished(zone) };
}
