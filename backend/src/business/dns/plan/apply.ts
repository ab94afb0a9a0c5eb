import { randomUUIDv7 } from 'node:crypto';
import { relativeName } from '../../../base/dns/name.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queuedTask, taskInsert } from '../../core/tasks/task.ts';
import { nextStep } from '../dnssec/dnssec.ts';
import { factsOf } from '../dnssec/dnssec-facts.ts';
import { takeStep, wishSigned } from '../dnssec/dnssec-step.ts';
import { addRevision, octetsOf } from '../history/revision.ts';
import { DNS_TASK, enqueueZone, PUBLISH } from '../publish/zone-jobs.ts';
import type { ZoneInput } from '../zone/record.ts';
import { planBaseOf, type Zone } from '../zone/zone.ts';
import { recordsFor, writeDiff } from '../zone/zone-records.ts';
import { type Planning, planChange, type ZonePlan } from './plan.ts';

/** Of more record sets, the whole zone is published. */
const MOST_SINGLY = 200;

/** Who changes a zone, and why. */
export interface ChangedBy {
  /** null: the system. */
  readonly userId: string | null;
  readonly comment: string | null;
  /** Whether the zone is to be signed; null: as it is. */
  readonly dnssec: boolean | null;
  /** Whether its customer is to see it being published. */
  readonly watched: boolean;
}

export interface AppliedChange {
  /** As it is afterwards. */
  readonly zone: Zone;
  readonly revisionId: string;
  readonly task: ReturnType<typeof queuedTask> | null;
}

const touch = statement<object>(
  'change_zone',
  `UPDATE zones SET version = $2, revision_id = $3, records = $4, characters = $5, aliases = $6, updated_at = $7,
     whole_version = CASE WHEN $8::boolean THEN $2 ELSE whole_version END, history_octets = history_octets + $9
   WHERE id = $1`,
);
const unpublished = statement<object>(
  'zone_unpublished',
  `INSERT INTO zone_unpublished (zone_id, name, type, version)
   SELECT $1, name, type, $4 FROM unnest($2::text[], $3::text[]) u(name, type)
   ON CONFLICT (zone_id, name, type) DO UPDATE SET version = excluded.version`,
);

/** What would become of a locked zone. */
export async function planOf(tx: Transaction, zone: Zone, input: ZoneInput): Promise<Planning> {
  const records = await recordsFor(tx, zone, input);
  return planChange({ ...planBaseOf(zone), records }, input, randomUUIDv7);
}

/** Makes a plan true in the books, as a revision, and has it published. The zone must be locked since it was planned. */
export async function applyPlan(
  tx: Transaction,
  uow: UnitOfWork,
  zone: Zone,
  plan: Pick<ZonePlan, 'diff' | 'rrsets' | 'aliases' | 'sizeAfter'>,
  { userId, comment, dnssec, watched }: ChangedBy,
): Promise<AppliedChange> {
  const { id, name, domain_id: domainId, account_id: accountId } = zone;
  const version = zone.version + 1;
  const revisionId = randomUUIDv7();
  const taskId = watched && domainId !== null ? randomUUIDv7() : null;
  const { records, characters, aliases } = plan.sizeAfter;
  const touched = [
    ...plan.rrsets.map((set) => [relativeName(set.name, name), set.type] as const),
    ...plan.aliases.map((alias) => [relativeName(alias.name, name), 'ALIAS'] as const),
  ];
  const whole = touched.length > MOST_SINGLY;
  const diff = JSON.stringify(plan.diff);
  const octets = octetsOf(diff);
  await tx.run(touch, [id, version, revisionId, records, characters, aliases, uow.now, whole, octets]);
  await writeDiff(tx, id, plan.diff);
  if (!whole && touched.length > 0)
    await tx.run(unpublished, [id, touched.map(([at]) => at), touched.map(([, type]) => type), version]);
  await tx.run(addRevision, [
    revisionId,
    id,
    version,
    userId,
    comment,
    diff,
    dnssec,
    taskId,
    uow.now,
    octets,
  ]);
  const after = {
    ...zone,
    version,
    revision_id: revisionId,
    records,
    characters,
    aliases,
    updated_at: uow.now,
    whole_version: whole ? version : zone.whole_version,
  };
  const wishing = dnssec === null ? after : await wishSigned(tx, after, dnssec);
  const stepped = await takeStep(tx, uow, wishing, nextStep(factsOf(wishing, uow.now)));
  enqueueZone(uow, PUBLISH, id);
  if (taskId === null || domainId === null || accountId === null)
    return { zone: stepped, revisionId, task: null };
  uow.changes.add(taskInsert, {
    id: taskId,
    account_id: accountId,
    type: DNS_TASK,
    state: 'queued',
    resource_type: 'domain',
    resource_id: domainId,
    order_id: null,
    created_at: uow.now,
  });
  const task = queuedTask(taskId, DNS_TASK, { type: 'domain', uuid: domainId }, uow.now);
  return { zone: stepped, revisionId, task };
}
