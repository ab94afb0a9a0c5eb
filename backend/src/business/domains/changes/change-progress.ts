import { type Instant, wireTime } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { ErrorCode } from '../../../errors.ts';
import { emit, type Frame, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { cancelTask, finishTask, type TaskRef } from '../../core/tasks/task.ts';
import { signZone } from '../../dns/dnssec/sign.ts';
import { LONGEST_TTLS, rememberWhatWas } from '../../dns/ttl-hold-off.ts';
import { captureHold, releaseHold } from '../../selling/orders/hold.ts';
import { beginVerification } from '../contacts/verification.ts';
import type { Domain } from '../domain.ts';
import { enforceDomain } from '../domain-jobs.ts';
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
  frame: Frame,
  catalog: CatalogVersion,
  domain: Domain,
  changes: readonly DomainChange[],
): Promise<void> {
  for (const change of changes) {
    const [done, ...left] = change.steps;
    const policy = catalog.tlds.get(domain.tld)?.policy ?? LONGEST_TTLS;
    if (done !== undefined) await rememberWhatWas(tx, change, done.columns, policy, frame.now);
    if (left.length === 0) await complete(tx, frame, catalog, domain, change);
    else await waitWith(tx, frame, change, left, frame.now.add({ hours: done?.wait_hours ?? 0 }));
  }
}

async function waitWith(
  tx: Transaction,
  frame: Frame,
  { id }: DomainChange,
  left: DomainChange['steps'],
  until: Instant,
): Promise<void> {
  await tx.run(move, [id, 'waiting', JSON.stringify(left), until]);
  await tx.run(showStep, [id, `until ${wireTime(until)}`, frame.now]);
}

/** Puts the next step of a change that has waited, or that everybody agreed to, into the books. */
export async function takeStep(
  tx: Transaction,
  frame: Frame,
  domain: Domain,
  { id, steps }: DomainChange,
): Promise<void> {
  const [next] = steps;
  if (next === undefined) throw new Error(`change ${id} of domain ${domain.id} has no step`);
  await tx.run(move, [id, 'registry', JSON.stringify(steps), null]);
  await tx.run(showStep, [id, 'registry', frame.now]);
  await bringInto(tx, frame, domain.id, next.columns);
}

/** Nothing comes of a change, or no more: the books are as before it, and what it costs is free again. */
export async function abandon(
  tx: Transaction,
  frame: Frame,
  domain: Domain,
  change: DomainChange,
  error: ErrorCode,
): Promise<void> {
  await tx.run(remove, [change.id]);
  if (change.order_id !== null) await releaseHold(tx, frame, change.order_id, error);
  if (change.state !== 'approval') await bringInto(tx, frame, domain.id, change.undo);
  finishTask(frame, taskOf(domain, change), error);
}

/** Another change takes the place of one that waits: what it has done stays, and the other goes on from there. */
export async function supersede(
  tx: Transaction,
  frame: Frame,
  domain: Domain,
  change: DomainChange,
): Promise<void> {
  await tx.run(remove, [change.id]);
  cancelTask(frame, taskOf(domain, change));
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
  frame: Frame,
  catalog: CatalogVersion,
  domain: Domain,
  change: DomainChange,
): Promise<void> {
  const { id, name: domainName, tld: tldName } = domain;
  await tx.run(remove, [change.id]);
  if (change.order_id !== null) await captureHold(tx, frame, change.order_id);
  emit(frame, lockedAccount(frame, domain.account_id), {
    type: EVENTS[change.kind],
    resource: { type: 'domain', id },
    body: { domain: domainName, task_uuid: change.id },
  });
  finishTask(frame, taskOf(domain, change), null);
  const tld = catalog.tlds.get(tldName);
  if (change.kind === 'nameservers' && domain.dns_hosted && domain.dnssec) await signZone(tx, frame, id);
  if (change.kind !== 'contacts') return;
  if (change.locks) {
    await lockAfter(tx, id, tld, frame.now);
    enforceDomain(frame, id);
  }
  await beginVerification(tx, frame, tld, domain);
}
