import { z } from 'zod';
import { readDomainName } from '../../base/domain-name.ts';
import { isHostname } from '../../base/hostname.ts';
import { readAddress } from '../../base/network.ts';
import { ADDRESS_SCOPES, scopeOf } from '../../base/special-purpose.ts';
import { isSpecialUseName } from '../../base/special-use-name.ts';
import { readSubnet, reverseName, type Subnet } from '../../base/subnet.ts';
import { originOf } from '../../business/tools/networks/origin.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import type { Resolver } from '../../drivers/resolver/port.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';
import { operation } from '../../operation.ts';

const DEADLINE_MS = 3_000;

const input = z.strictObject({
  address: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .transform((text, ctx): Subnet | string => {
      const subnet = readSubnet(text);
      if (subnet !== null) return subnet;
      const reading = readDomainName(text);
      if (reading.ok && isHostname(reading.name.ascii) && !isSpecialUseName(reading.name.ascii)) {
        return reading.name.ascii;
      }
      const message = reading.ok
        ? 'This name is for private networks, not for the Internet.'
        : 'This must be an address, a network in CIDR notation or a host name.';
      ctx.addIssue({ code: 'custom', input: text, message });
      return z.NEVER;
    })
    .optional()
    .describe('An IP address, a network in CIDR notation or a host name; without it, your own address'),
});

export default operation({
  method: 'GET',
  path: 'tools/network',
  summary: 'What an address or a network is',
  description:
    'Never connects to the address: names and origins are looked up in the public DNS, and only for addresses of ' +
    'the Internet. The scope, PTR and origin are those of `address`; of a host name, `address` is the first one ' +
    'that it has.',
  audience: 'customer',
  scope: 'tools:read',
  input,
  output: z.object({
    address: z.string(),
    version: z.literal([4, 6]),
    cidr: z.string(),
    network: z.string(),
    netmask: z.string().nullable().describe('IPv4 only'),
    broadcast: z.string().nullable().describe('IPv4 networks of at least four addresses'),
    first_host: z.string(),
    last_host: z.string(),
    total_addresses: z.string().describe('Decimal text'),
    usable_addresses: z.string().describe('Decimal text'),
    scope: z.enum(ADDRESS_SCOPES),
    reverse_zone: z.string().describe('The zone that PTR records of the network are in, or in zones below'),
    ptr: z.string().nullable(),
    resolved: z.array(z.string()).describe('All addresses of the host name'),
    asn: z.object({ number: z.int(), name: z.string() }).nullable(),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2, as the registry has it'),
  }),
  message: { en: 'The network was computed.', de: 'Das Netz wurde berechnet.' },
  errors: ['validation_failed', 'backend_unavailable'],
  example: { input: { address: '192.0.2.77/26' } },
  async read(ctx, { address: given }) {
    const { resolver } = ctx.ports;
    const resolved = typeof given === 'string' ? await addressesOf(resolver, given, ctx) : [];
    const subnet = typeof given === 'object' ? given : readSubnet(resolved[0] ?? ctx.ip);
    if (subnet === null) throw new Error(`the resolver gave ${resolved[0]}`);
    const scope = scopeOf(subnet.address);
    const [ptr, origin] =
      scope === 'global'
        ? await Promise.all([
            pointerOf(resolver, subnet),
            unlessAway(originOf(resolver, subnet.address, DEADLINE_MS)),
          ])
        : [null, null];
    return {
      address: subnet.address,
      version: subnet.family,
      cidr: subnet.cidr,
      network: subnet.network,
      netmask: subnet.netmask,
      broadcast: subnet.broadcast,
      first_host: subnet.firstHost,
      last_host: subnet.lastHost,
      total_addresses: String(subnet.total),
      usable_addresses: String(subnet.usable),
      scope,
      reverse_zone: subnet.reverseZone,
      ptr,
      resolved: [...resolved],
      asn: origin?.asn ?? null,
      country: origin?.country ?? null,
    };
  },
});

interface Refuser {
  refusal(code: 'validation_failed' | 'backend_unavailable', detail: RefusalDetail): Refusal;
}

async function addressesOf(resolver: Resolver, name: string, ctx: Refuser): Promise<readonly string[]> {
  const addresses = await unlessAway(resolver.addresses(name, DEADLINE_MS));
  if (addresses === null) throw ctx.refusal('backend_unavailable', { members: { backend: 'resolver' } });
  if (addresses.length > 0) return addresses;
  throw ctx.refusal('validation_failed', {
    members: { fields: ['/address'] },
    errors: [{ pointer: '/address', error: 'not_allowed', message: 'This name has no address.' }],
  });
}

async function pointerOf(resolver: Resolver, { address }: Subnet): Promise<string | null> {
  const read = readAddress(address);
  const pointers = read === null ? null : await unlessAway(resolver.pointers(reverseName(read), DEADLINE_MS));
  return pointers?.find(isHostname) ?? null;
}

/** null: the DNS does not answer. */
async function unlessAway<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BackendUnavailable) return null;
    throw error;
  }
}
