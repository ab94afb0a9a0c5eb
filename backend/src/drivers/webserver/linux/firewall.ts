import type { Host } from './host.ts';

// IANA's special-purpose registries: what is not global unicast (RFC 6890 and its updates).
const CLOSED_4 = `0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24,
      192.0.2.0/24, 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/3`;
const CLOSED_6 = `::/127, ::ffff:0:0/96, 64:ff9b::/96, 100::/64, 2001::/32, 2001:db8::/32, 2002::/16, fc00::/7, fe80::/10,
      ff00::/8`;

/**
 * What programs of webspaces may connect to: the world, but neither this host nor private networks nor mail servers;
 * of those only their database and the resolvers. What others begin they do not answer: a program that listens could
 * stand in for SFTP or the database while those restart. By the user, so it holds for whatever runs as one. What the kernel
 * itself sends, such as the refusal of a connection, is nobody's and passes: it must not match "not a user of these".
 */
export function firewallText({ settings }: Host): string {
  const resolvers = settings.resolvers
    .map((address) => {
      const family = address.includes(':') ? 'ip6' : 'ip';
      return `    ${family} daddr ${address} meta l4proto { tcp, udp } th dport 53 accept\n`;
    })
    .join('');
  const closed = settings.closed
    .map((network) => `    ${network.includes(':') ? 'ip6' : 'ip'} daddr ${network} reject\n`)
    .join('');
  return `table inet ${settings.mark}
delete table inet ${settings.mark}
table inet ${settings.mark} {
  chain sites {
    ct direction reply drop
    ip daddr 127.0.0.1 tcp dport ${settings.mariadb.port} accept
${resolvers}    fib daddr type local reject
${closed}    ip daddr { ${CLOSED_4} } reject
    ip6 daddr { ${CLOSED_6} } reject
    tcp dport 25 reject
  }
  chain out {
    type filter hook output priority filter; policy accept;
    meta skuid ${settings.users.first}-${settings.users.last} jump sites
  }
}
`;
}
