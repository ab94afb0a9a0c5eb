import { type FirewallRule, OPEN, type WantedFirewall } from '../../../base/firewall.ts';
import { interfaceOf } from './node.ts';

// Bridges know no connections. TCP says itself which segment opens one; of UDP it is remembered for a minute who talks
// with whom, from both sides alike, so that each packet that was let through lets the answers through.
const REMEMBERED = '60s';
const MOST_REMEMBERED = 65_536;

const SETS = [
  { name: 'flows4', type: 'ipv4_addr', family: 'ip' },
  { name: 'flows6', type: 'ipv6_addr', family: 'ip6' },
] as const;

/** What opens nothing: neighbours, groups, errors, answers to echoes, later segments of TCP. */
const ALWAYS = [
  'ether type arp accept',
  'icmp type { destination-unreachable, time-exceeded, parameter-problem, echo-reply } accept',
  'icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem, echo-reply } accept',
  'icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } accept',
  'icmpv6 type { mld-listener-query, mld-listener-report, mld-listener-done, mld2-listener-report } accept',
  'tcp flags & (syn | ack) != syn accept',
];

/** Pieces without ports, which are worth nothing without their first one. */
const FRAGMENTS = ['ip frag-off & 0x1fff != 0 accept', 'frag frag-off != 0 accept'];

/** Rules of a machine's own firewall in one direction, to come after what every machine is kept from. */
export function firewallRules(
  serverId: string,
  { rules, policyIn, policyOut }: WantedFirewall,
  direction: 'in' | 'out',
): string[] {
  const tap = interfaceOf(serverId, 'tap');
  const policy = direction === 'in' ? policyIn : policyOut;
  const kept = `goto ${tap}-kept-${direction}`;
  return [
    ...ALWAYS,
    ...SETS.map(({ name, family }) => `${flow(family, direction)} @${tap}-${name} ${kept}`),
    ...rules
      .filter((rule) => rule.direction === direction)
      .flatMap((rule) =>
        matches(rule).map((match) => `${match} ${rule.action === 'accept' ? kept : 'drop'}`),
      ),
    ...(policy === 'accept' ? [kept] : [...FRAGMENTS, 'drop']),
  ];
}

export function isOpen(wanted: WantedFirewall): boolean {
  return JSON.stringify(wanted) === JSON.stringify(OPEN);
}

/** For nft: what the rules of both directions share, which has to be there before them. */
export function firewallText(mark: string, serverId: string): string {
  const tap = interfaceOf(serverId, 'tap');
  const sets = SETS.map(
    ({ name, type }) =>
      `add set bridge ${mark} ${tap}-${name} { type ${type} . inet_service . inet_service; flags dynamic, timeout; timeout ${REMEMBERED}; size ${MOST_REMEMBERED}; }\n`,
  );
  const chains = (['in', 'out'] as const).map((direction) => {
    const chain = `bridge ${mark} ${tap}-kept-${direction}`;
    const remember = SETS.map(
      ({ name, family }) => `add rule ${chain} update @${tap}-${name} { ${flow(family, direction)} }\n`,
    );
    return `add chain ${chain}\nflush chain ${chain}\n${remember.join('')}add rule ${chain} accept\n`;
  });
  return [...sets, ...chains].join('');
}

/** For nft: forgets it, whether it was known or not. Nothing may refer to it any more. */
export function noFirewallText(mark: string, serverId: string): string {
  const tap = interfaceOf(serverId, 'tap');
  const chains = (['in', 'out'] as const).map((direction) => {
    const chain = `bridge ${mark} ${tap}-kept-${direction}`;
    return `flush chain ${chain}\ndelete chain ${chain}\n`;
  });
  const sets = SETS.map(({ name }) => `delete set bridge ${mark} ${tap}-${name}\n`);
  return [firewallText(mark, serverId), ...chains, ...sets].join('');
}

/** Who talks with whom: the other's address and port, and the machine's port. */
function flow(family: 'ip' | 'ip6', direction: 'in' | 'out'): string {
  return direction === 'in'
    ? `${family} saddr . udp sport . udp dport`
    : `${family} daddr . udp dport . udp sport`;
}

/** What a rule is about; one of ICMP for everybody is about two protocols. */
function matches({ direction, protocol, ports, cidr }: FirewallRule): string[] {
  const end = direction === 'in' ? 'saddr' : 'daddr';
  const network = cidr === null ? '' : `${cidr.includes(':') ? 'ip6' : 'ip'} ${end} ${cidr} `;
  if (protocol === 'any') return [network === '' ? 'ether type { ip, ip6 }' : network.trimEnd()];
  if (protocol === 'icmp') {
    const versions = cidr === null ? [4, 6] : [cidr.includes(':') ? 6 : 4];
    return versions.map((version) => `${network}meta l4proto ${version === 4 ? 'icmp' : 'ipv6-icmp'}`);
  }
  const { from, to } = ports ?? { from: 0, to: 65_535 };
  return [`${network}${protocol} dport ${from}-${to}`];
}
