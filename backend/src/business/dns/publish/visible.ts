import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Publication } from '../../../drivers/dns/port.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { orderJob } from '../../selling/orders/order-job.ts';
import { nextStep } from '../dnssec/dnssec.ts';
import { factsOf } from '../dnssec/dnssec-facts.ts';
import { takeStep } from '../dnssec/dnssec-step.ts';
import type { Zone } from '../zone/zone.ts';
import { DNS_TASK } from './zone-jobs.ts';

/** So long name servers are asked again and again; then a customer is no longer made to wait for one of several. */
const WAITED_FOR = { seconds: 60 };
/** A domain is registered with a zone that all of its name servers have (rule F6), unless one of them stays away. */
const FIRST_WAITED_FOR = { seconds: 3_600 };
/** One that is out of order is asked now and then, for as long as signing waits for it. */
const ASKED_SELDOM = { minutes: 5 };

const seen = statement<object>(
  'zone_seen',
  `UPDATE zones SET nameservers_current = $2, checked_at = $3, visible_version = $4, check_at = $5 WHERE id = $1`,
);
const waiting = statement<{ id: string }>(
  'tasks_of_zone',
  `SELECT t.id FROM zone_revisions r JOIN tasks t ON t.id = r.task_id
   WHERE r.zone_id = $1 AND r.version > $2 AND r.version <= $3 AND t.finished_at IS NULL ORDER BY r.version`,
);

const waitingOrders = statement<{ id: string; type: string }>(
  'orders_waiting_for_zone',
  `SELECT o.id, t.type FROM tasks t JOIN orders o ON o.id = t.order_id
   WHERE t.resource_id = $1 AND t.finished_at IS NULL AND o.state = 'pending'`,
);

/** Whether it is said to be visible, and whether to ask again. */
export function judgeObserved(
  zone: Pick<Zone, 'published_at' | 'visible_version' | 'dnssec'>,
  publication: Publication | null,
  now: Instant,
): { readonly visible: boolean; readonly everywhere: boolean; readonly askAgainAt: Instant | null } {
  const { nameserversTotal: total, nameserversCurrent: current } = publication ?? {
    nameserversTotal: 1,
    nameserversCurrent: 0,
  };
  const everywhere = current === total;
  const hasWaited = (time: { seconds: number }) =>
    zone.published_at !== null && Temporal.Instant.compare(zone.published_at.add(time), now) <= 0;
  const waited = hasWaited(WAITED_FOR);
  const isEnough = zone.visible_version === 0 ? hasWaited(FIRST_WAITED_FOR) : waited;
  const visible = everywhere || (current > 0 && isEnough);
  const isAwaited = !visible || (zone.dnssec === 'signing' && !everywhere);
  return {
    visible,
    everywhere,
    askAgainAt: isAwaited ? (waited ? now.add(ASKED_SELDOM) : now) : null,
  };
}

/**
 * Writes what the name servers said of a locked zone since `published_version` went out, and what follows once it is
 * visible: the event, the ends of tasks, and the next step of signing. Whether it just became so.
 */
export async function writeObserved(
  tx: Transaction,
  uow: UnitOfWork,
  zone: Zone,
  publication: Publication | null,
): Promise<{ readonly zone: Zone; readonly becameVisible: boolean }> {
  const { id, published_version: version, visible_version: before } = zone;
  const { visible, everywhere, askAgainAt } = judgeObserved(zone, publication, uow.now);
  const becameVisible = visible && version > before;
  const current = publication?.nameserversCurrent ?? 0;
  await tx.run(seen, [id, current, uow.now, visible ? version : before, askAgainAt]);
  if (becameVisible) await tellCustomer(tx, uow, zone);
  const after = { ...zone, visible_version: visible ? version : before, nameservers_current: current };
  return {
    zone: await takeStep(tx, uow, after, nextStep(factsOf(zone, uow.now, { visible: everywhere }))),
    becameVisible,
  };
}

async function tellCustomer(tx: Transaction, uow: UnitOfWork, zone: Zone): Promise<void> {
  const { domain_id: domainId, account_id: accountId, name, published_version: version } = zone;
  if (domainId === null || accountId === null) return;
  const resource = { type: 'domain', id: domainId };
  // The zone that it is registered with is no change of it.
  if (zone.visible_version > 0) {
    emit(uow, lockedAccount(uow, accountId), {
      type: 'domain.dns_changed',
      resource,
      body: { domain: name, version, serial: Number(zone.serial) },
    });
  }
  for (const task of await waitingTasks(tx, zone, version))
    finishTask(uow, { id: task, accountId, type: DNS_TASK, resource }, null);
  // A registration waits for its zone (rule F6).
  for (const order of await tx.run(waitingOrders, [domainId])) uow.jobs.push(orderJob(order.type, order.id));
}

/** The tasks that watch changes up to a version being published. */
export async function waitingTasks(
  tx: Transaction,
  { id, visible_version }: Zone,
  version: number,
): Promise<readonly string[]> {
  return (await tx.run(waiting, [id, visible_version, version])).map((task) => task.id);
}
