import { z } from 'zod';
import { type FirewallRule, OPEN, type WantedFirewall } from '../../../base/firewall.ts';
import type { Parameters } from './api.ts';
import type { Cluster } from './cluster.ts';

/** What the comments of a customer's rules begin with; the rest tells rules apart. */
const THEIRS = 'hostkeep customer: ';

const Rules = z.array(
  z.looseObject({
    comment: z.string().default(''),
    pos: z.coerce.number(),
    enable: z.coerce.number().default(0),
  }),
);

/**
 * Brings a machine's own rules to those that are wanted, below `ours`: the firewall takes the first that fits. A new rule
 * is always the first one, so customers' are off until ours are above them, and the old ones go when the new ones are on.
 */
export async function ensureCustomerRules(
  cluster: Cluster,
  path: string,
  wanted: readonly FirewallRule[],
  ours: readonly Parameters[],
): Promise<void> {
  const theirs = wanted.flatMap(parametersOf);
  const there = await cluster.get(path, Rules);
  const known = new Set(ours.map(({ comment }) => String(comment)));
  const isManaged = ({ comment }: { readonly comment: string }) =>
    comment.startsWith(THEIRS) || known.has(comment);
  const managed = there.filter(isManaged);
  const isTheirs = ({ comment }: { readonly comment: string }) => comment.startsWith(THEIRS);
  // In this order, all of them on, and ours above them.
  const found = managed.filter(isTheirs).map(({ comment }) => comment);
  const goal = theirs.map(({ comment }) => comment);
  const isBelow = !managed.some((rule, at) => !isTheirs(rule) && managed.slice(0, at).some(isTheirs));
  const isOn = managed.every(({ enable }) => enable === 1);
  if (isOn && isBelow && JSON.stringify(found) === JSON.stringify(goal)) return;
  for (const rule of theirs.toReversed()) await cluster.change('POST', path, { ...rule, enable: 0 });
  for (const rule of ours.toReversed()) await cluster.change('POST', path, rule);
  for (const at of theirs.keys()) await cluster.change('PUT', `${path}/${ours.length + at}`, { enable: 1 });
  const added = ours.length + theirs.length;
  for (const { pos } of managed.toReversed()) await cluster.change('DELETE', `${path}/${pos + added}`);
}

/** What a machine's own rules are, for another machine to have the same. */
export async function customerRules(cluster: Cluster, path: string): Promise<FirewallRule[]> {
  const there = await cluster.get(path, Rules);
  const written = there.flatMap(({ comment }) =>
    comment.startsWith(THEIRS) ? [comment.slice(THEIRS.length)] : [],
  );
  // One of ICMP is there twice, once for each family.
  return written.filter((text) => !text.endsWith(SECOND)).map(readRule);
}

/** The options that a machine's own firewall takes. */
export function policies({ policyIn, policyOut }: Pick<WantedFirewall, 'policyIn' | 'policyOut'> = OPEN) {
  return { policy_in: policyIn.toUpperCase(), policy_out: policyOut.toUpperCase() };
}

const SECOND = ' ipv6';

function parametersOf(rule: FirewallRule): Parameters[] {
  const { direction, protocol, ports, cidr, action } = rule;
  const of = (proto: string | undefined, suffix = ''): Parameters => ({
    type: direction,
    action: action.toUpperCase(),
    enable: 1,
    proto,
    ...(cidr === null ? {} : direction === 'in' ? { source: cidr } : { dest: cidr }),
    ...(ports === null
      ? {}
      : { dport: ports.from === ports.to ? `${ports.from}` : `${ports.from}:${ports.to}` }),
    comment: `${THEIRS}${writeRule(rule)}${suffix}`,
  });
  if (protocol === 'any') return [of(undefined)];
  if (protocol !== 'icmp') return [of(protocol)];
  if (cidr !== null) return [of(cidr.includes(':') ? 'ipv6-icmp' : 'icmp')];
  return [of('icmp'), of('ipv6-icmp', SECOND)];
}

/** As `in tcp 80-81 198.51.100.0/24 accept`. */
function writeRule({ direction, protocol, ports, cidr, action }: FirewallRule): string {
  return [direction, protocol, ports === null ? '*' : `${ports.from}-${ports.to}`, cidr ?? '*', action].join(
    ' ',
  );
}

const Direction = z.enum(['in', 'out']);
const Protocol = z.enum(['tcp', 'udp', 'icmp', 'any']);
const Action = z.enum(['accept', 'drop']);

function readRule(text: string): FirewallRule {
  const [direction, protocol, ports = '*', cidr = '*', action] = text.split(' ');
  const [from, to] = ports.split('-').map(Number);
  return {
    direction: Direction.parse(direction),
    protocol: Protocol.parse(protocol),
    ports: ports === '*' || from === undefined || to === undefined ? null : { from, to },
    cidr: cidr === '*' ? null : cidr,
    action: Action.parse(action),
  };
}
