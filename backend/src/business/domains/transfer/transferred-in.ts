import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { LONGEST_TTLS } from '../../dns/ttl-hold-off.ts';
import { changeSoon } from '../changes/change.ts';
import { delegationSteps, type WantedDelegation } from '../delegation/delegation.ts';
import type { Domain } from '../domain.ts';

/**
 * Has a domain that has just come to a customer delegated as it was ordered. It came with a DS, or with one that is
 * remembered: its name servers are those that it had until nobody asks them to prove themselves (rule F7).
 */
export function delegateTransferredIn(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  arrived: Domain,
  nameservers: WantedDelegation['nameservers'],
  dnsHosted: boolean,
): void {
  const policy = catalog.tlds.get(arrived.tld)?.policy ?? LONGEST_TTLS;
  const wanted = { nameservers, dnsHosted, ds: [] };
  changeSoon(uow, arrived, delegationSteps(arrived, wanted, policy, uow.now));
}
