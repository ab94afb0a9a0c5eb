import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { NameServerHost, RegisteredDomain } from '../../../drivers/registry/port.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { hostDraft } from '../../dns/zone/draft.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { captureHold } from '../../selling/orders/hold.ts';
import { reviveService } from '../../selling/subscriptions/revived.ts';
import { beginFirstTerm } from '../../selling/subscriptions/service.ts';
import { beginVerification } from '../contacts/verification.ts';
import { observedRow } from '../convergence/observed.ts';
import { domainObserved } from '../domain.ts';
import { convergeDomain } from '../domain-jobs.ts';
import { type OrderedDomain, taskOf } from '../registration/delivery.ts';
import { endAuthcode } from './authcode-issued.ts';
import { lockAfter } from './transfer-lock.ts';
import { delegateTransferredIn } from './transferred-in.ts';

// What was not ordered otherwise is as it was (rule F2); what was signed is changed only afterwards (rule F7).
const adopt = statement<object>(
  'adopt_transferred_domain',
  'UPDATE domains SET nameservers = $2, ds = $3, dns_hosted = false WHERE id = $1',
);

/** A domain that was asked for is its customer's: the money is taken, and its term is the registry's. */
export async function completeTransfer(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  ordered: OrderedDomain,
  registered: RegisteredDomain,
): Promise<void> {
  const { id, account_id: accountId, order_id: orderId, name } = ordered;
  await captureHold(tx, uow, orderId);
  // It was through before its registry heard that nobody wants it any more.
  const isRevived = ordered.state === 'cancelled';
  if (isRevived) await reviveService(tx, id, uow.now);
  const service = { ...ordered, product: 'domain', orderId } as const;
  await beginFirstTerm(tx, uow, catalog, service, registered.expireAt ?? undefined);
  await delegateTransferred(tx, uow, catalog, ordered, registered);
  // It was good for one transfer; registries may keep it for another.
  await endAuthcode(tx, uow, id);
  await lockAfter(tx, id, catalog.tlds.get(ordered.tld), uow.now);
  await beginVerification(tx, uow, catalog.tlds.get(ordered.tld), ordered);
  uow.changes.add(domainObserved, observedRow(id, registered, uow.now));
  if (isRevived) {
    emit(uow, lockedAccount(uow, accountId), {
      type: 'domain.cancellation_revoked',
      resource: { type: 'domain', id },
      body: { expire_at: registered.expireAt ?? ordered.expire_at },
    });
  }
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.transfer_in_completed',
    resource: { type: 'domain', id },
    body: { order_id: orderId, domain: name, expire_at: registered.expireAt ?? null },
  });
  queueMail(uow, {
    cause: `domain.transferred-in:${orderId}`,
    to: { accountId },
    template: 'domain.transferred-in',
    variables: { domain: name },
  });
  finishTask(uow, taskOf(ordered), null);
  convergeDomain(uow, id);
}

/** As it was ordered: where others have it, or here, with the zone that was kept for it; else as it was. */
async function delegateTransferred(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  ordered: OrderedDomain,
  { nameservers, ds }: RegisteredDomain,
): Promise<void> {
  const { nameservers: ours } = catalog.content;
  const isHosted = await hostDraft(tx, uow, ordered, ours);
  const wanted = isHosted ? hostsOf(ours) : ordered.nameservers;
  const isSoon = wanted !== null && (isHosted || ds.length > 0);
  if (wanted === null || isSoon)
    await tx.run(adopt, [ordered.id, JSON.stringify(nameservers), JSON.stringify(ds)]);
  const arrived = { ...ordered, nameservers, ds, dns_hosted: false };
  if (isSoon) delegateTransferredIn(uow, catalog, arrived, wanted, isHosted);
}

function hostsOf(hostnames: readonly string[]): readonly NameServerHost[] {
  return hostnames.map((hostname) => ({ hostname, ipv4: [], ipv6: [] }));
}
