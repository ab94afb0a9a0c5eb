import { z } from 'zod';

/** The most rules that a machine has. */
export const MOST_RULES = 100;

const Verdict = z.enum(['accept', 'drop']);
const Port = z.int().min(0).max(65_535);
/** A network in prefix notation, and nothing else: drivers write it into the rules of other programs. */
export const Cidr = z.union([z.cidrv4(), z.cidrv6()]);

/** What happens to packets that open something: answers to what was let through follow by themselves. */
export const FirewallRule = z.object({
  /** Seen from the machine. */
  direction: z.enum(['in', 'out']),
  protocol: z.enum(['tcp', 'udp', 'icmp', 'any']),
  /** Of the destination, both included, for TCP and UDP; null: all. */
  ports: z.object({ from: Port, to: Port }).nullable(),
  /** The network on the other side, IPv4 or IPv6; null: everybody. */
  cidr: Cidr.nullable(),
  action: Verdict,
});
export type FirewallRule = z.output<typeof FirewallRule>;

/** What a machine's own firewall lets through: the first rule that fits decides, and the policy where none does. */
export const WantedFirewall = z.object({
  rules: z.array(FirewallRule).max(MOST_RULES),
  policyIn: Verdict,
  policyOut: Verdict,
});
export type WantedFirewall = z.output<typeof WantedFirewall>;

export const OPEN: WantedFirewall = { rules: [], policyIn: 'accept', policyOut: 'accept' };
