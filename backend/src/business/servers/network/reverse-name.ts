import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { ptrName } from '../../dns/zone/reverse.ts';

/** The zone that an address's name is written to. */
export interface ReverseZone {
  readonly reverseZone: string;
  readonly nameservers: readonly string[];
}

/** Where the name of an address of a host belongs; null: the host's pool offers no reverse names (rule F11). */
export function reverseZoneOf(
  { hosts, content }: CatalogVersion,
  host: string,
  address: string,
): ReverseZone | null {
  const networks = hosts.get(host)?.networks;
  const reverseZone = (address.includes(':') ? networks?.ipv6 : networks?.ipv4)?.reverse_zone ?? null;
  if (reverseZone === null || content.nameservers.length === 0) return null;
  return ptrName(address, reverseZone) === null ? null : { reverseZone, nameservers: content.nameservers };
}

/** The name that a pool gives an IPv4 address nobody named; null where it gives none, as to each single IPv6 address. */
export function defaultName({ hosts }: CatalogVersion, host: string, address: string): string | null {
  const template = hosts.get(host)?.networks.ipv4.name_template ?? null;
  if (template === null || address.includes(':')) return null;
  return template.replace('{address}', address.replaceAll('.', '-'));
}

// Somebody else's until it is deleted: whoever restores their domain held it all along.
const others = statement<object>(
  'named_domains_of_others',
  `SELECT FROM services WHERE product = 'domain' AND name = ANY($2::text[]) AND account_id <> $1
   AND state IN ('active', 'suspended', 'cancel_scheduled', 'expired', 'cancelled') LIMIT 1`,
);

/** Whether a customer may call an address so: not by names of the operator's, or under another customer's domain. */
export async function mayBeNamed(
  db: Executor,
  { content }: CatalogVersion,
  { accountId, name, publicUrl }: { accountId: string; name: string; publicUrl: string },
): Promise<boolean> {
  const templates = content.hosts.flatMap(({ networks }) => [networks.ipv4, networks.ipv6]);
  const own = [
    new URL(publicUrl).hostname,
    ...content.nameservers,
    ...content.web_hosts.flatMap((host) => [host.hostname, host.site_domain]),
    ...templates.flatMap(({ name_template }) => name_template?.split('.').slice(1).join('.') ?? []),
  ];
  if (own.some((operators) => name === operators || name.endsWith(`.${operators}`))) return false;
  const labels = name.split('.');
  const parents = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  return (await db.run(others, [accountId, parents])).length === 0;
}
