import { delegationProblem } from '../delegation.ts';
import type { DomainRef, NameServerHost } from '../port.ts';
import { nsOf } from './domain.ts';
import { ensureHosts } from './host.ts';
import { Refused } from './refusal.ts';
import type { EppRegistry } from './registry.ts';
import type { Element } from './wire/element.ts';

/** Throws Refused. */
export function checkDelegation(domain: string, hosts: readonly NameServerHost[]): void {
  const problem = delegationProblem(domain, hosts);
  if (problem !== null) throw new Refused('nameserver_invalid', problem);
}

/** What leads from one delegation to the other. */
export interface DelegationChange {
  readonly add: Element | null;
  readonly remove: Element | null;
}

/** Prepares the change: host objects are there before the domain is delegated to them. */
export async function changeDelegation(
  registry: EppRegistry,
  ref: DomainRef,
  from: readonly NameServerHost[],
  to: readonly NameServerHost[],
): Promise<DelegationChange> {
  const { hosts } = registry.profileOf(ref.tld);
  checkDelegation(ref.domain, to);
  if (hosts === 'objects') await ensureHosts(registry, ref, to);
  // A host object is the same one whatever its addresses are; as an attribute, other addresses make another.
  const keyOf = ({ hostname, ipv4, ipv6 }: NameServerHost) =>
    hosts === 'objects' ? hostname : [hostname, ...ipv4.toSorted(), ...ipv6.toSorted()].join(' ');
  const without = (some: readonly NameServerHost[], others: readonly NameServerHost[]) => {
    const known = new Set(others.map(keyOf));
    return some.filter((one) => !known.has(keyOf(one)));
  };
  return { add: nsOf(without(to, from), hosts), remove: nsOf(without(from, to), hosts) };
}
