import type { RecordInput } from '../../../base/dns/read-record.ts';
import type { ZoneTemplates } from '../../core/catalog/schema/zone-template.ts';

export const ZONE_TEMPLATES = ['none', 'parking', 'mail', 'server'] as const;
export type ZoneTemplate = (typeof ZONE_TEMPLATES)[number];

/** The zone and its usual site. */
const SITES = ['@', 'www'];

/** The records that a template stands for; null: the catalogue does not offer it. */
export function templateRecords(
  template: ZoneTemplate,
  { parking, mail }: ZoneTemplates,
  serverAddresses: readonly string[],
): readonly RecordInput[] | null {
  switch (template) {
    case 'none':
      return [];
    case 'parking':
      return parking === null ? null : sites([...parking.ipv4, ...parking.ipv6]);
    case 'server':
      return sites(serverAddresses);
    case 'mail': {
      if (mail === null) return null;
      const servers = mail.servers.map(({ host, priority }) => ({
        name: '@',
        type: 'MX',
        content: `${host}.`,
        priority,
      }));
      return [...servers, { name: '@', type: 'TXT', content: `"${mail.spf}"` }];
    }
  }
}

function sites(addresses: readonly string[]): RecordInput[] {
  return SITES.flatMap((name) =>
    addresses.map((content) => ({ name, type: content.includes(':') ? 'AAAA' : 'A', content })),
  );
}
