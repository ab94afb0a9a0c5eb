import type { Transaction } from '../../../db/transaction.ts';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { endUnderWay } from '../abandoned.ts';
import { type Domain, domainObserved } from '../domain.ts';
import { domainGone, domainInRedemption, domainTransferredOut, serviceLooked } from '../ended.ts';
import { isToGo } from './desired-state.ts';
import { observedRow } from './observed.ts';

/** How often a domain is looked at that its registry is about to drop. */
const LOOK_AGAIN = { hours: 6 };

/**
 * Writes what a registry told of a locked domain of ours, and what follows from it: it is gone, somebody else's, kept
 * for its redemption, or as it was. null: its registry does not have it.
 */
export async function applyObserved(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  domain: Domain,
  told: RegisteredDomain | null,
): Promise<void> {
  const { id, registry_state: before } = domain;
  if (told === null || !told.sponsoredHere) await endUnderWay(tx, uow, domain, told === null);
  if (told === null) {
    domainGone(uow, domain);
    return;
  }
  if (!told.sponsoredHere) {
    domainTransferredOut(uow, domain, null);
    return;
  }
  const row = observedRow(id, told, uow.now);
  uow.changes.add(domainObserved, row);
  if (row.state === 'redemption' && before !== 'redemption') {
    const days = catalog.tlds.get(domain.tld)?.redemption_days ?? 0;
    domainInRedemption(uow, domain, uow.now.add({ hours: days * 24 }));
    return;
  }
  if (isToGo(domain, uow.now)) uow.changes.add(serviceLooked, { id, due_at: uow.now.add(LOOK_AGAIN) });
}
