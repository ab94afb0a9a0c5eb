import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { moveZone, zoneOfDomainLeaves } from '../../dns/zone/hosting.ts';
import { captureHold } from '../../selling/orders/hold.ts';
import { beginFirstTerm } from '../../selling/subscriptions/service.ts';
import { beginVerification } from '../contacts/verification.ts';
import type { Domain } from '../domain.ts';
import { convergeDomain } from '../domain-jobs.ts';
import { type OrderedDomain, taskOf } from '../registration/delivery.ts';
import { endAuthcode } from './authcode-issued.ts';
import { lockAfter } from './transfer-lock.ts';
import { delegateTransferredIn } from './transferred-in.ts';

// At once, and one after the other: a name is one customer's at any moment.
const letGo = statement<object>(
  'let_domain_go',
  "UPDATE domains SET state = 'transferred_out' WHERE id = $1",
);
const take = statement<object>(
  'take_domain',
  `UPDATE domains v SET state = 'active', registered_at = f.registered_at, registry_expire_at = f.registry_expire_at,
     statuses = f.statuses, seen_at = f.seen_at, ds = f.ds, ds_remembered_until = f.ds_remembered_until,
     ns_remembered_until = f.ns_remembered_until, nameservers = f.nameservers,
     dns_hosted = f.dns_hosted AND v.nameservers IS NULL,
     dnssec = CASE WHEN v.nameservers IS NULL THEN f.dnssec ELSE v.dnssec END,
     premium = f.premium, premium_renewal = f.premium_renewal, premium_asked = f.premium_asked
   FROM domains f WHERE v.id = $1 AND f.id = $2`,
);

/** A domain goes to another customer of ours, with the term that was paid for it. */
export async function completePush(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  ordered: OrderedDomain,
  from: Domain,
): Promise<void> {
  const { id, account_id: accountId, order_id: orderId, name } = ordered;
  await captureHold(tx, uow, orderId);
  await tx.run(letGo, [from.id]);
  await tx.run(take, [id, from.id]);
  if (ordered.nameservers === null) {
    await moveZone(tx, from.id, id);
  } else {
    zoneOfDomainLeaves(uow, from.id, true);
    const { nameservers, ds, ds_remembered_until, ns_remembered_until } = from;
    const remembered = { ds_remembered_until, ns_remembered_until };
    const arrived = { ...ordered, ...remembered, nameservers, ds, dns_hosted: false };
    delegateTransferredIn(uow, catalog, arrived, ordered.nameservers, false);
  }
  // Whoever had it knows the code, which its registry takes still.
  await endAuthcode(tx, uow, id);
  await lockAfter(tx, id, catalog.tlds.get(ordered.tld), uow.now);
  await beginFirstTerm(tx, uow, catalog, { ...ordered, product: 'domain', orderId }, from.expire_at);
  await beginVerification(tx, uow, catalog.tlds.get(ordered.tld), ordered);
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.transfer_in_completed',
    resource: { type: 'domain', id },
    body: { order_id: orderId, domain: name, expire_at: from.expire_at },
  });
  finishTask(uow, taskOf(ordered), null);
  convergeDomain(uow, id);
}
