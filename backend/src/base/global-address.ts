import { BlockList, isIP } from 'node:net';

// The special-purpose registries of IANA (RFC 6890), and what was unicast once and leads to IPv4 (6to4's relays).
const SPECIAL_IPV4 = networks('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a carrier's customers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/** All of IPv6 that is handed out. Outside are loopback, mapped and translated IPv4, unique and link-local, multicast. */
const HANDED_OUT_IPV6 = networks('ipv6', ['2000::/3']);
const SPECIAL_IPV6 = networks('ipv6', [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: any IPv4 address
  '3fff::/20', // documentation
]);

function networks(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const network of list) {
    const [address = '', prefix] = network.split('/');
    blocks.addSubnet(address, Number(prefix), family);
  }
  return blocks;
}

/**
 * Whether a text is an address of one host that anybody in the world can reach: what is neither private nor special,
 * nor has such an IPv4 address inside. An address with a zone (`%eth0`) is not.
 */
export function isGlobalUnicast(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_IPV4.check(address, 'ipv4');
    case 6:
      return (
        !address.includes('%') &&
        HANDED_OUT_IPV6.check(address, 'ipv6') &&
        !SPECIAL_IPV6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}
