import { BlockList, isIP } from 'node:net';
import { isGlobalUnicast } from './global-address.ts';

/** Who can be reached at an address, in the interface's words. */
export const ADDRESS_SCOPES = [
  'global',
  'private',
  'loopback',
  'link_local',
  'documentation',
  'multicast',
  'reserved',
] as const;
export type AddressScope = (typeof ADDRESS_SCOPES)[number];

/** A network that is nobody's: what it is for. */
export interface SpecialPurpose {
  readonly network: string;
  /** As IANA's registry names it. */
  readonly name: string;
  readonly scope: Exclude<AddressScope, 'global'>;
}

/** IANA's special-purpose address registries (RFC 6890), narrower networks before those that hold them. */
const REGISTRY: readonly (readonly [network: string, scope: SpecialPurpose['scope'], name: string])[] = [
  ['0.0.0.0/8', 'reserved', 'This network'],
  ['10.0.0.0/8', 'private', 'Private-Use'],
  ['100.64.0.0/10', 'private', 'Shared Address Space'],
  ['127.0.0.0/8', 'loopback', 'Loopback'],
  ['169.254.0.0/16', 'link_local', 'Link Local'],
  ['172.16.0.0/12', 'private', 'Private-Use'],
  ['192.0.0.0/24', 'reserved', 'IETF Protocol Assignments'],
  ['192.0.2.0/24', 'documentation', 'Documentation (TEST-NET-1)'],
  ['192.88.99.0/24', 'reserved', 'Deprecated (6to4 Relay Anycast)'],
  ['192.168.0.0/16', 'private', 'Private-Use'],
  ['198.18.0.0/15', 'reserved', 'Benchmarking'],
  ['198.51.100.0/24', 'documentation', 'Documentation (TEST-NET-2)'],
  ['203.0.113.0/24', 'documentation', 'Documentation (TEST-NET-3)'],
  ['224.0.0.0/4', 'multicast', 'Multicast'],
  ['255.255.255.255/32', 'reserved', 'Limited Broadcast'],
  ['240.0.0.0/4', 'reserved', 'Reserved'],
  ['::/128', 'reserved', 'Unspecified Address'],
  ['::1/128', 'loopback', 'Loopback Address'],
  ['::ffff:0:0/96', 'reserved', 'IPv4-mapped Address'],
  ['64:ff9b::/96', 'reserved', 'IPv4-IPv6 Translation'],
  ['64:ff9b:1::/48', 'reserved', 'IPv4-IPv6 Translation'],
  ['100::/64', 'reserved', 'Discard-Only Address Block'],
  ['100:0:0:1::/64', 'reserved', 'Dummy IPv6 Prefix'],
  ['2001:2::/48', 'reserved', 'Benchmarking'],
  ['2001::/32', 'reserved', 'TEREDO'],
  ['2001::/23', 'reserved', 'IETF Protocol Assignments'],
  ['2001:db8::/32', 'documentation', 'Documentation'],
  ['2002::/16', 'reserved', '6to4'],
  ['3fff::/20', 'documentation', 'Documentation'],
  ['5f00::/16', 'reserved', 'Segment Routing (SRv6) SIDs'],
  ['fc00::/7', 'private', 'Unique-Local'],
  ['fe80::/10', 'link_local', 'Link-Local Unicast'],
  ['ff00::/8', 'multicast', 'Multicast'],
];

const ENTRIES = REGISTRY.map(([network, scope, name]) => {
  const [address = '', prefix] = network.split('/');
  const block = new BlockList();
  block.addSubnet(address, Number(prefix), family(address));
  return { family: family(address), block, purpose: { network, name, scope } };
});

/** What an address is for, if it is nobody's; null for those that are handed out. The argument must be an address. */
export function specialPurposeOf(address: string): SpecialPurpose | null {
  // A BlockList finds an IPv4 address in its IPv6 form too, which is another address here.
  const entry = ENTRIES.find((it) => it.family === family(address) && it.block.check(address, it.family));
  return entry?.purpose ?? null;
}

/** What the registry does not name is global, or (most of IPv6) not handed out yet. */
export function scopeOf(address: string): AddressScope {
  return specialPurposeOf(address)?.scope ?? (isGlobalUnicast(address) ? 'global' : 'reserved');
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
