import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../../../base/time.ts';
import type { ServerReport } from '../../../drivers/dns/port.ts';
import type { DelegationSigner, NameServerHost } from '../../../drivers/registry/port.ts';
import { hoursHeldOff, type ParentTtls } from '../../dns/ttl-hold-off.ts';
import type { ChangeStep } from '../changes/change.ts';
import type { Domain } from '../domain.ts';

export type { ServerReport };

/** Where a domain is to be delegated. */
export interface WantedDelegation {
  readonly nameservers: readonly NameServerHost[];
  readonly dnsHosted: boolean;
  readonly ds: readonly DelegationSigner[];
}

export function isSameDelegation(domain: Domain, wanted: WantedDelegation): boolean {
  const sorted = (hosts: readonly NameServerHost[] | null) =>
    hosts?.toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1));
  return (
    domain.dns_hosted === wanted.dnsHosted &&
    isDeepStrictEqual(sorted(domain.nameservers), sorted(wanted.nameservers))
  );
}

/**
 * The way from one delegation to another, on which no resolver ever sees signers of name servers that it does not ask
 * (rule F7): the DS goes; once nobody remembers it, the name servers change; and once nobody remembers the old ones, the
 * new DS comes. Nothing makes it shorter but that nobody remembers a DS.
 */
export function delegationSteps(
  domain: Domain,
  wanted: WantedDelegation,
  { ds_ttl_hours: dsHours, ns_ttl_hours: nsHours }: ParentTtls,
  now: Instant,
): readonly ChangeStep[] {
  const { nameservers, dnsHosted: dns_hosted, ds } = wanted;
  const isSame = isSameDelegation(domain, wanted);
  const isSigned = ds.length > 0 && !(isSame && isDeepStrictEqual(domain.ds, ds));
  const steps: ChangeStep[] = [];
  const dsLeft = domain.ds.length > 0 ? dsHours : hoursHeldOff(domain.ds_remembered_until, now, dsHours);
  if (!isSame && dsLeft > 0) steps.push({ columns: { ds: [] }, wait_hours: dsLeft });
  // Ours are signed, if that is wanted, by whoever publishes the zone.
  const dnssec = dns_hosted ? {} : { dnssec: ds.length > 0 };
  const nsLeft = isSame ? hoursHeldOff(domain.ns_remembered_until, now, nsHours) : nsHours;
  const change = { columns: { nameservers, dns_hosted, ...dnssec }, wait_hours: isSigned ? nsLeft : 0 };
  if (!isSame || change.wait_hours > 0) steps.push(change);
  if (isSame || isSigned) steps.push({ columns: { ds }, wait_hours: 0 });
  return steps;
}
