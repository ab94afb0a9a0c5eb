import type { Frame } from '../accounts/frame.ts';
import type { CatalogVersion } from '../catalog/versions.ts';
import { changeSoon } from './change.ts';
import { delegationSteps, type WantedDelegation } from './delegation.ts';
import type { Domain } from './domain.ts';
import { LONGEST_TTLS } from './remembered.ts';

/**
 * Has a domain that has just come to a customer delegated as it was ordered. It came with a DS, or with one that is
 * remembered: its name servers are those that it had until nobody asks them to prove themselves (rule F7).
 */
export function delegateArrived(
  frame: Frame,
  catalog: CatalogVersion,
  arrived: Domain,
  nameservers: WantedDelegation['nameservers'],
  dnsHosted: boolean,
): void {
  const policy = catalog.tlds.get(arrived.tld)?.policy ?? LONGEST_TTLS;
  const wanted = { nameservers, dnsHosted, ds: [] };
  changeSoon(frame, arrived, delegationSteps(arrived, wanted, policy, frame.now));
}
