import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { cancelTask, finishTask } from '../../core/tasks/task.ts';
import type { Zone } from '../zone/zone.ts';
import { rememberAliases } from './alias.ts';
import type { Commanded, Publishing } from './publishing.ts';
import { forgetUnpublished } from './unpublished.ts';
import { waitingTasks, writeObserved } from './visible.ts';
import { abandonRegistration, DNS_TASK, enqueueZone, PUBLISH } from './zone-jobs.ts';

const published = statement<object>(
  'zone_published',
  `UPDATE zones SET published_version = $2, published_at = $3, signed = $4, ds = $5, serial = $6 WHERE id = $1`,
);
const gone = statement<object>('zone_gone', 'UPDATE zones SET gone_at = $2 WHERE id = $1');
const successor = statement<{ id: string }>(
  'zone_of_name',
  'SELECT id FROM zones WHERE name = $1 AND removed_at IS NULL',
);
const wholeAgain = statement<object>(
  'publish_whole_zone',
  'UPDATE zones SET whole_version = version, published_version = least(published_version, version - 1) WHERE id = $1',
);

/** The primary has a locked zone as it was when the run began; what came meanwhile is published next. */
export async function zonePublished(
  tx: Transaction,
  uow: UnitOfWork,
  zone: Zone,
  { zone: before }: Publishing,
  { served, resolved, publication }: Commanded,
): Promise<void> {
  const { id } = zone;
  const { version } = before;
  const now = uow.now;
  const { dnssec: signed = false, ds = [], serial = 0 } = served ?? {};
  await tx.run(published, [id, version, now, signed, JSON.stringify(ds), serial]);
  await forgetUnpublished(tx, id, version);
  await rememberAliases(tx, id, resolved, now);
  const after = {
    ...zone,
    published_version: version,
    published_at: now,
    signed,
    ds,
    serial: BigInt(serial),
  };
  await writeObserved(tx, uow, after, publication);
  if (zone.version > version || zone.removed_at !== null) enqueueZone(uow, PUBLISH, id);
}

/** It is served no more. Who has taken the name since can have it served. */
export async function zoneGone(tx: Transaction, uow: UnitOfWork, zone: Zone): Promise<void> {
  await tx.run(gone, [zone.id, uow.now]);
  const { domain_id: domainId, account_id: accountId } = zone;
  if (domainId !== null && accountId !== null) {
    const resource = { type: 'domain', id: domainId };
    for (const id of await waitingTasks(tx, zone, zone.version))
      cancelTask(uow, { id, accountId, type: DNS_TASK, resource });
  }
  const [next] = await tx.run(successor, [zone.name]);
  if (next !== undefined) enqueueZone(uow, PUBLISH, next.id);
}

/** Has all of a locked zone published again, whatever the name server has of it. */
export async function publishWhole(tx: Transaction, uow: UnitOfWork, zone: Zone): Promise<void> {
  await tx.run(wholeAgain, [zone.id]);
  enqueueZone(uow, PUBLISH, zone.id);
}

/**
 * A name server will not take it. Of single sets, all of the zone is tried, since it may have lost the zone; of that,
 * whoever waits for it is told, and an operator reads the log.
 */
export async function zoneRefused(
  tx: Transaction,
  uow: UnitOfWork,
  zone: Zone,
  { unpublished }: Publishing,
): Promise<void> {
  if (unpublished?.whole === false) {
    await publishWhole(tx, uow, zone);
    return;
  }
  const { domain_id: domainId, account_id: accountId } = zone;
  if (domainId === null || accountId === null) return;
  // What is to be registered with it never is (rule F6).
  if (zone.visible_version === 0) abandonRegistration(uow, domainId);
  const resource = { type: 'domain', id: domainId };
  for (const id of await waitingTasks(tx, zone, zone.version))
    finishTask(uow, { id, accountId, type: DNS_TASK, resource }, 'backend_error');
}
