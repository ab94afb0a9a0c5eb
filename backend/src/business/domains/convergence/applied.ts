import type { Transaction } from '../../../db/transaction.ts';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import type { Frame } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { endUnderWay } from '../abandoned.ts';
import { type Domain, domainSeen } from '../domain.ts';
import { domainGone, domainInRedemption, domainTransferredOut, serviceLooked } from '../ended.ts';
import { isToGo } from './desired-state.ts';
import { seenRow } from './observed.ts';

/** How often a domain is looked at that its registry is about to drop. */
const LOOK_AGAIN = { hours: 6 };

/**
 * Writes what a registry told of a locked domain of ours, and what follows from it: it is gone, somebody else's, kept
 * for its redemption, or as it was. null: its registry does not have it.
 */
export async function settleSeen(
  tx: Transaction,
  frame: Frame,
  catalog: CatalogVersion,
  domain: Domain,
  told: RegisteredDomain | null,
): Promise<void> {
  const { id, registry_state: before } = domain;
  if (told === null || !told.sponsoredHere) await endUnderWay(tx, frame, domain, told === null);
  if (told === null) {
    domainGone(frame, domain);
    return;
  }
  if (!told.sponsoredHere) {
    domainTransferredOut(frame, domain, null);
    return;
  }
  const row = seenRow(id, told, frame.now);
  frame.changes.add(domainSeen, row);
  if (row.state === 'redemption' && before !== 'redemption') {
    const days = catalog.tlds.get(domain.tld)?.redemption_days ?? 0;
    domainInRedemption(frame, domain, frame.now.add({ hours: days * 24 }));
    return;
  }
  if (isToGo(domain, frame.now)) frame.changes.add(serviceLooked, { id, due_at: frame.now.add(LOOK_AGAIN) });
}
