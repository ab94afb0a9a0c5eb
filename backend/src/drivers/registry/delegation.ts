import type { NameServerHost } from './port.ts';

const MOST_HOSTS = 13;

/** Whether the host is below the domain: its addresses stand in the parent zone then (glue). */
export function isBelow(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** What is wrong with a delegation whichever registry it is for; null: nothing. Addresses are exactly where they are glue. */
export function delegationProblem(domain: string, hosts: readonly NameServerHost[]): string | null {
  const unfit = hosts.find(
    ({ hostname, ipv4, ipv6 }) => isBelow(hostname, domain) !== ipv4.length + ipv6.length > 0,
  );
  if (unfit !== undefined)
    return `${unfit.hostname} has addresses where it needs none, or none where it does`;
  return hosts.length > MOST_HOSTS ? `${hosts.length} name servers are too many` : null;
}
