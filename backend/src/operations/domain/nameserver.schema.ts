import { z } from 'zod';
import { ipAddress } from '../../api/field.ts';
import { isHostname } from '../../base/hostname.ts';
import type { Domain } from '../../business/domains/domain.ts';
import type { InputProblem } from '../../errors.ts';

const hostname = z
  .string()
  .max(254)
  .overwrite((text) => text.trim().toLowerCase().replace(/\.$/, ''))
  .refine(isHostname, 'This must be a host name.');

/** A name server as clients give it. */
export const nameserver = z.strictObject({
  hostname,
  ipv4: z.array(ipAddress).max(13).default([]).describe('Only of a name below the domain itself.'),
  ipv6: z.array(ipAddress).max(13).default([]),
});

export const nameservers = z
  .array(nameserver)
  .min(2, 'At least two name servers.')
  .max(13, 'At most 13 name servers.');

export const shownNameserver = z.object({
  hostname: z.string(),
  ipv4: z.array(z.string()),
  ipv6: z.array(z.string()),
});

/** What is wrong with the name servers of a domain, beside what the schema sees: glue, and names that are there twice. */
export function nameserverProblems(
  domain: string,
  given: NonNullable<Domain['nameservers']>,
  glueOffered: boolean,
): InputProblem[] {
  const seen = new Set<string>();
  return given.flatMap((host, at): InputProblem[] => {
    const { hostname: name, ipv4, ipv6 } = host;
    const pointer = `/nameservers/${at}`;
    const below = name === domain || name.endsWith(`.${domain}`);
    const addresses = ipv4.length + ipv6.length;
    const twice = seen.has(name);
    seen.add(name);
    if (twice) return [{ pointer, error: 'not_allowed', message: `${name} is there twice.` }];
    if (!below && addresses > 0)
      return [
        { pointer, error: 'not_allowed', message: 'Only a name below the domain itself has addresses here.' },
      ];
    if (below && addresses === 0)
      return [{ pointer, error: 'required', message: 'A name below the domain itself needs its addresses.' }];
    if (below && !glueOffered)
      return [
        { pointer, error: 'not_allowed', message: 'This TLD takes no name servers below the domain itself.' },
      ];
    return [];
  });
}

export function wireNameservers(hosts: NonNullable<Domain['nameservers']>) {
  return hosts.map(({ hostname, ipv4, ipv6 }) => ({ hostname, ipv4: [...ipv4], ipv6: [...ipv6] }));
}
