import { linkLocalAddress, macAddress } from '../../../base/mac-address.ts';
import { readAddress, readNetwork } from '../../../base/network.ts';
import { firewallRules, firewallText, isOpen, noFirewallText } from './firewall.ts';
import { interfaceOf } from './node.ts';
import type { MachineRecord } from './record.ts';
import type { NodeSettings } from './settings.ts';

type Filtered = Pick<MachineRecord, 'serverId' | 'ipv4' | 'ipv6' | 'mail' | 'nullRouted' | 'firewall'>;

const IPV6_BITS = 128;

/**
 * The table, with maps that lead the packets from each machine, and those to it, through chains of its own. Changes nothing
 * that is there.
 */
function tableText(mark: string): string {
  return `add table bridge ${mark}
add map bridge ${mark} machines { type ifname : verdict; }
add chain bridge ${mark} from_machines { type filter hook prerouting priority -300; policy accept; }
flush chain bridge ${mark} from_machines
add rule bridge ${mark} from_machines iifname vmap @machines
add map bridge ${mark} receivers { type ifname : verdict; }
add chain bridge ${mark} to_machines { type filter hook postrouting priority 0; policy accept; }
flush chain bridge ${mark} to_machines
add rule bridge ${mark} to_machines oifname vmap @receivers
`;
}

/** For nft: replaces what a machine may send and what comes to it, as one transaction. */
export function filterText(settings: NodeSettings, machine: Filtered): string {
  const tap = interfaceOf(machine.serverId, 'tap');
  const chain = `bridge ${settings.mark} ${tap}`;
  const { serverId, firewall } = machine;
  const rules = rulesOf(settings, machine);
  const incoming = [
    ...machine.nullRouted.map((network) => `${destination(network)} drop`),
    ...(isOpen(firewall) ? [] : firewallRules(serverId, firewall, 'in')),
  ];
  const shared = isOpen(firewall) ? '' : firewallText(settings.mark, serverId);
  return `${tableText(settings.mark)}${shared}add chain ${chain}
flush chain ${chain}
${rules.map((rule) => `add rule ${chain} ${rule}\n`).join('')}add element bridge ${settings.mark} machines { "${tap}" : goto ${tap} }
add chain ${chain}-in
flush chain ${chain}-in
${incoming.map((rule) => `add rule ${chain}-in ${rule}\n`).join('')}add element bridge ${settings.mark} receivers { "${tap}" : goto ${tap}-in }
`;
}

function destination(network: string): string {
  return `${network.includes(':') ? 'ip6' : 'ip'} daddr ${network}`;
}

/** For nft: forgets a machine, whether it was known or not. */
export function noFilterText(settings: NodeSettings, serverId: string): string {
  const tap = interfaceOf(serverId, 'tap');
  const forget = (map: string, name: string) => {
    const [chain, element] = [
      `bridge ${settings.mark} ${name}`,
      `bridge ${settings.mark} ${map} { "${tap}" `,
    ];
    return `add chain ${chain}
add element ${element}: goto ${name} }
delete element ${element}}
flush chain ${chain}
delete chain ${chain}
`;
  };
  return [
    tableText(settings.mark),
    forget('machines', tap),
    forget('receivers', `${tap}-in`),
    noFirewallText(settings.mark, serverId),
  ].join('');
}

/**
 * Of these protocols the first fragment has the type, or the ports, in its first eight bytes, which cannot be cut. Behind
 * another extension header they may be in the second fragment, where no rule sees them. Nobody needs neighbour discovery
 * in fragments (RFC 6980). Of TCP and UDP the rules on ports see the first fragment; without it the others are worthless.
 */
const FRAGMENT_RULES = [
  'ether type ip6 frag nexthdr != { udp, tcp, esp, ipv6-icmp } drop',
  'ether type ip6 exthdr frag exists icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, nd-redirect } drop',
];

/**
 * What a machine may send (rule G2): its own addresses only, on every layer; no router advertisements, redirects or
 * answers of DHCP servers; nothing to the management networks or to mail servers, in fragments either. The first rule that fits decides.
 */
function rulesOf(
  { network }: NodeSettings,
  { serverId, ipv4, ipv6, mail, nullRouted, firewall }: Filtered,
): string[] {
  const mac = macAddress(serverId);
  const linkLocal = linkLocalAddress(mac);
  const isReached = (own: string) => !nullRouted.includes(own);
  const own4 = ipv4.map(({ address }) => address).filter(isReached);
  const own6 = [`${linkLocal}/${IPV6_BITS}`, ...ipv6.map((given) => given.network).filter(isReached)];
  const closed = (version: 4 | 6) => network.closed.filter((cidr) => cidr.includes(':') === (version === 6));
  const ofOwn = own6.map(targetMatch);
  return [
    `ether saddr != ${mac} drop`,
    ...(own4.length === 0 ? [] : arpRules(mac, own4)),
    'ether type arp drop',
    own4.length === 0 ? 'ether type ip drop' : `ip saddr != ${set(own4)} drop`,
    // Its neighbours would take it for the DHCP server. They look at the port that they listen on, not at the sender's.
    'ether type ip udp dport 68 drop',
    'ether type ip6 udp dport 546 drop',
    ...FRAGMENT_RULES,
    'icmpv6 type { nd-router-advert, nd-redirect, router-renumbering } drop',
    // Before it has an address it asks whether it may have it, and joins the group of that address (RFC 4862).
    ...ofOwn.map((match) => `ip6 saddr :: icmpv6 type nd-neighbor-solicit ${match} accept`),
    'ip6 saddr :: icmpv6 type mld2-listener-report accept',
    `ip6 saddr != ${set(own6)} drop`,
    ...ofOwn.map((match) => `icmpv6 type nd-neighbor-advert ${match} accept`),
    'icmpv6 type nd-neighbor-advert drop',
    ...(closed(4).length === 0 ? [] : [`ip daddr ${set(closed(4))} drop`]),
    ...(closed(6).length === 0 ? [] : [`ip6 daddr ${set(closed(6))} drop`]),
    ...(mail ? [] : ['tcp dport 25 drop']),
    'ether type != { ip, ip6 } drop',
    ...(isOpen(firewall) ? ['accept'] : firewallRules(serverId, firewall, 'out')),
  ];
}

function arpRules(mac: string, own: readonly string[]): string[] {
  const sender = `arp saddr ether ${mac}`;
  return [
    `${sender} arp saddr ip ${set(own)} accept`,
    // Whether an address is free is asked without an address of one's own (RFC 5227).
    `${sender} arp saddr ip 0.0.0.0 arp daddr ip ${set(own)} accept`,
  ];
}

/** The target of a solicitation or advertisement is behind eight bytes of header (RFC 4861, sections 4.3 and 4.4). */
function targetMatch(network: string): string {
  const [address = '', bits = ''] = network.split('/');
  const prefix = Number(bits);
  const value = readNetwork(network)?.first ?? readAddress(address)?.value ?? 0n;
  return `@th,64,${prefix} 0x${(value >> BigInt(IPV6_BITS - prefix)).toString(16)}`;
}

function set(words: readonly string[]): string {
  return `{ ${words.join(', ')} }`;
}
