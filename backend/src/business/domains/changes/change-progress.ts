import { type Instant, wireTime } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { ErrorCode } from '../../../errors.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { cancelTask, finishTask, type TaskRef } from '../../core/tasks/task.ts';
import { signZone } from '../../dns/dnssec/sign.ts';
import { holdOffForResolvers, LONGEST_TTLS } from '../../dns/ttl-hold-off.ts';
import { captureHold, releaseHold } from '../../selling/orders/hold.ts';
import { beginVerification } from '../contacts/verification.ts';
import type { Domain } from '../domain.ts';
import { convergeDomain } from '../domain-jobs.ts';
import { lockAfter } from '../transfer/transfer-lock.ts';
import { bringInto, CHANGE_TASKS, type ChangeKind, type DomainChange } from './change.ts';

const remove = statement<object>('delete_domain_change', 'DELETE FROM domain_changes WHERE id = $1');
const move = statement<object>(
  'move_domain_change',
  'UPDATE domain_changes SET state = $2, steps = $3, due_at = $4 WHERE id = $1',
);
const showStep = statement<object>(
  'show_change_step',
  `UPDATE tasks SET state = 'running', step = $2, started_at = coalesce(started_at, $3)
   WHERE id = $1 AND finished_at IS NULL`,
);

/**
 * The registry of a locked domain has what these changes had put into the books: each goes on to its next step, at once
 * or once resolvers have forgotten what was before, or is done.
 */
export async function goOnWith(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  domain: Domain,
  changes: readonly DomainChange[],
): Promise<void> {
  for (const change of changes) {
    const [done, ...left] = change.steps;
    const policy = catalog.tlds.get(domain.tld)?.policy ?? LONGEST_TTLS;
    if (done !== undefined) await holdOffForResolvers(tx, change, done.columns, policy, uow.now);
    if (left.length === 0) await complete(tx, uow, catalog, domain, change);
    else await waitWith(tx, uow, change, left, uow.now.add({ hours: done?.wait_hours ?? 0 }));
  }
}

async function waitWith(
  tx: Transaction,
  uow: UnitOfWork,
  { id }: DomainChange,
  left: DomainChange['steps'],
  until: Instant,
): Promise<void> {
  await tx.run(move, [id, 'waiting', JSON.stringify(left), until]);
  await tx.run(showStep, [id, `until ${wireTime(until)}`, uow.now]);
}

/** Puts the next step of a change that has waited, or that everybody agreed to, into the books. */
export async function takeStep(
  tx: Transaction,
  uow: UnitOfWork,
  domain: Domain,
  { id, steps }: DomainChange,
): Promise<void> {
  const [next] = steps;
  if (next === undefined) throw new Error(`change ${id} of domain ${domain.id} has no step`);
  await tx.run(move, [id, 'registry', JSON.stringify(steps), null]);
  await tx.run(showStep, [id, 'registry', uow.now]);
  await bringInto(tx, uow, domain.id, next.columns);
}

/** Nothing comes of a change, or no more: the books are as before it, and what it costs is free again. */
export async function abandon(
  tx: Transaction,
  uow: UnitOfWork,
  domain: Domain,
  change: DomainChange,
  error: ErrorCode,
): Promise<void> {
  await tx.run(remove, [change.id]);
  if (change.order_id !== null) await releaseHold(tx, uow, change.order_id, error);
  if (change.state !== 'approval') await bringInto(tx, uow, domain.id, change.undo);
  finishTask(uow, taskOf(domain, change), error);
}

/** Another change takes the place of one that waits: what it has done stays, and the other goes on from there. */
export async function supersede(
  tx: Transaction,
  uow: UnitOfWork,
  domain: Domain,
  change: DomainChange,
): Promise<void> {
  await tx.run(remove, [change.id]);
  cancelTask(uow, taskOf(domain, change));
}

function taskOf({ id, account_id: accountId }: Domain, change: DomainChange): TaskRef {
  return { id: change.id, accountId, type: CHANGE_TASKS[change.kind], resource: { type: 'domain', id } };
}

const EVENTS = {
  contacts: 'domain.contacts_changed',
  nameservers: 'domain.nameservers_changed',
  whois_privacy: 'domain.whois_privacy_changed',
} as const satisfies Record<ChangeKind, string>;

async function complete(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  domain: Domain,
  change: DomainChange,
): Promise<void> {
  const { id, name: domainName, tld: tldName } = domain;
  await tx.run(remove, [change.id]);
  if (change.order_id !== null) await captureHold(tx, uow, change.order_id);
  emit(uow, lockedAccount(uow, domain.account_id), {
    type: EVENTS[change.kind],
    resource: { type: 'domain', id },
    body: { domain: domainName, task_uuid: change.id },
  });
  finishTask(uow, taskOf(domain, change), null);
  const tld = catalog.tlds.get(tldName);
  if (change.kind === 'nameservers' && domain.dns_hosted && domain.dnssec) await signZone(tx, uow, id);
  if (change.kind !== 'contacts') return;
  if (change.locks) {
    await lockAfter(tx, id, tld, uow.now);
    convergeDomain(uow, id);
  }
  await beginVerification(tx, uow, tld, domain);
}
