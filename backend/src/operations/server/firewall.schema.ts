import { z } from 'zod';
import { Cidr, type FirewallRule, MOST_RULES, type WantedFirewall } from '../../base/firewall.ts';
import { readNetwork } from '../../base/network.ts';

const port = z.int().min(1).max(65_535);
const verdict = z.enum(['accept', 'drop']);

export const firewallRule = z.object({
  direction: z.enum(['in', 'out']).describe('Seen from the server'),
  protocol: z.enum(['tcp', 'udp', 'icmp', 'any']).describe('`icmp` is ICMPv6, too.'),
  port_from: port.nullable().describe('Of the destination, for `tcp` and `udp`; null: all ports'),
  port_to: port.nullable().describe('Included; null: `port_from` alone'),
  cidr: z.string().nullable().describe('The other side, IPv4 or IPv6; null: everybody'),
  action: verdict,
});

/** What a firewall is shown as. */
export const shownFirewall = { rules: z.array(firewallRule), policy_in: verdict, policy_out: verdict };

const NOT_A_NETWORK = 'This must be a network such as 192.0.2.0/24 or 2001:db8::/32.';

const givenRule = z
  .strictObject({
    ...firewallRule.shape,
    port_from: firewallRule.shape.port_from.default(null),
    port_to: firewallRule.shape.port_to.default(null),
    cidr: z
      .string()
      .max(43)
      .refine((text) => Cidr.safeParse(text).success && readNetwork(text) !== null, NOT_A_NETWORK)
      .nullable()
      .default(null),
  })
  .superRefine(({ protocol, port_from, port_to }, ctx) => {
    const wrong = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (port_from === null) {
      if (port_to !== null) wrong('port_from', 'Where the ports begin is missing.');
    } else if (protocol !== 'tcp' && protocol !== 'udp') wrong('port_from', 'Only tcp and udp have ports.');
    else if (port_to !== null && port_to < port_from) wrong('port_to', 'This must not be before port_from.');
  });

/** What a firewall is replaced by. */
export const givenFirewall = {
  rules: z
    .array(givenRule)
    .max(MOST_RULES, `At most ${MOST_RULES} rules.`)
    .describe('The first that fits decides.'),
  policy_in: verdict.default('accept').describe('Where no rule fits'),
  policy_out: verdict.default('accept').describe('Where no rule fits'),
};

type Given = z.output<z.ZodObject<typeof givenFirewall>>;
type Shown = z.input<z.ZodObject<typeof shownFirewall>>;

export function wantedFirewall({ rules, policy_in: policyIn, policy_out: policyOut }: Given): WantedFirewall {
  const wanted = rules.map(({ port_from: from, port_to, ...rest }): FirewallRule => {
    return { ...rest, ports: from === null ? null : { from, to: port_to ?? from } };
  });
  return { rules: wanted, policyIn, policyOut };
}

export function wireFirewall({ rules, policyIn, policyOut }: WantedFirewall): Shown {
  const shown = rules.map(({ direction, protocol, ports, cidr, action }) => ({
    ...{ direction, protocol, port_from: ports?.from ?? null, port_to: ports?.to ?? null, cidr, action },
  }));
  return { rules: shown, policy_in: policyIn, policy_out: policyOut };
}
