import { z } from 'zod';
import type { FirewallRule } from '../../../base/firewall.ts';
import type { Parameters } from './api.ts';
import type { Cluster } from './cluster.ts';
import { ensureCustomerRules, policies } from './customer-rules.ts';
import type { MachineRecord } from './record.ts';
import { Refused } from './refusal.ts';

/** The addresses that card net0 may send from; PVE adds the link-local one of its own address. */
const ADDRESSES = 'ipfilter-net0';

/** Every packet of the machine is looked at; what is not of its own addresses, and router advertisements, are dropped. */
const OPTIONS = { enable: 1, ipfilter: 1, macfilter: 1, radv: 0, ndp: 1, dhcp: 0 };

const Options = z.record(z.string(), z.unknown());
const ClusterOptions = z.object({
  enable: z.coerce.number().default(0),
  ebtables: z.coerce.number().default(1),
});
const Rules = z.array(z.object({ comment: z.string().default(''), pos: z.coerce.number() }));
const Sets = z.array(z.object({ name: z.string() }));
const Entries = z.array(z.object({ cidr: z.string() }));

type Addressed = Pick<MachineRecord, 'ipv4' | 'ipv6' | 'mail' | 'nullRouted' | 'policies'>;

interface Place {
  readonly cluster: Cluster;
  path(below: string): string;
}

/** Without the cluster's firewall nothing keeps machines from each other's addresses (rule G2). */
export async function mustFilter(cluster: Cluster): Promise<void> {
  const { enable, ebtables } = await cluster.get('/cluster/firewall/options', ClusterOptions);
  if (enable === 0) throw new Refused('the firewall of the cluster is off');
  // Filters ARP, which the other rules do not see.
  if (ebtables === 0) throw new Refused('ebtables is off in the firewall of the cluster');
}

/**
 * Brings the firewall of a machine to rule G2, and to the rules of its customer where they are told. Rules that somebody
 * else added stay.
 */
export async function ensureFirewall(
  { cluster, path }: Place,
  wanted: Addressed,
  customers?: readonly FirewallRule[],
): Promise<void> {
  await ensureAddresses(cluster, path('/firewall/ipset'), wanted);
  const ours = rulesFor(cluster, wanted);
  await ensureRules(cluster, path('/firewall/rules'), ours);
  if (customers !== undefined) await ensureCustomerRules(cluster, path('/firewall/rules'), customers, ours);
  const options = { ...OPTIONS, ...policies(wanted.policies) };
  const there = await cluster.get(path('/firewall/options'), Options);
  const differs = Object.entries(options).some(([name, value]) => String(there[name]) !== String(value));
  if (differs) await cluster.change('PUT', path('/firewall/options'), options);
}

async function ensureRules(cluster: Cluster, rules: string, wanted: readonly Parameters[]): Promise<void> {
  const comments = new Set(wanted.map(({ comment }) => String(comment)));
  const there = await cluster.get(rules, Rules);
  const unwanted = there.filter(({ comment }) => comment.startsWith(OURS) && !comments.has(comment));
  // From the end: each that goes moves those behind it.
  for (const { pos } of unwanted.sort((a, b) => b.pos - a.pos))
    await cluster.change('DELETE', `${rules}/${pos}`);
  for (const rule of wanted)
    if (!there.some(({ comment }) => comment === rule.comment)) await cluster.change('POST', rules, rule);
}

async function ensureAddresses(
  cluster: Cluster,
  sets: string,
  { ipv4, ipv6, nullRouted }: Addressed,
): Promise<void> {
  const own = [...ipv4.map(({ address }) => address), ...ipv6.map(({ network }) => network)];
  const wanted = new Set(own.filter((address) => !nullRouted.includes(address)));
  const isThere = (await cluster.get(sets, Sets)).some(({ name }) => name === ADDRESSES);
  if (!isThere) await cluster.change('POST', sets, { name: ADDRESSES, comment: 'hostkeep' });
  const entries = (await cluster.get(`${sets}/${ADDRESSES}`, Entries)).map(({ cidr }) => cidr);
  for (const cidr of entries)
    if (!wanted.has(cidr)) await cluster.change('DELETE', `${sets}/${ADDRESSES}/${encodeURIComponent(cidr)}`);
  for (const cidr of wanted)
    if (!entries.includes(cidr)) await cluster.change('POST', `${sets}/${ADDRESSES}`, { cidr });
}

/** What the comments of our own rules begin with. */
const OURS = 'hostkeep: ';

/** A rule is known by its comment. */
function rulesFor({ settings: { network } }: Cluster, { mail, nullRouted }: Addressed): Parameters[] {
  const out = { type: 'out', enable: 1 };
  return [
    // By the port that clients listen on: the sender's may be any. PVE's rules cannot name fragments.
    { ...out, action: 'DROP', proto: 'udp', dport: '68', comment: `${OURS}nothing to DHCP clients` },
    { ...out, action: 'DROP', proto: 'udp', dport: '546', comment: `${OURS}nothing to DHCPv6 clients` },
    ...(mail
      ? []
      : [
          { ...out, action: 'REJECT', proto: 'tcp', dport: '25', comment: `${OURS}no mail to other servers` },
        ]),
    ...nullRouted.map((dest) => ({
      ...{ type: 'in', enable: 1, action: 'DROP', dest },
      comment: `${OURS}nothing to ${dest}`,
    })),
    ...network.closed.map((dest) => ({ ...out, action: 'DROP', dest, comment: `${OURS}not to ${dest}` })),
  ];
}
