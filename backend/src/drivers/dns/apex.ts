import { SOA_TIMERS } from '../../base/dns/soa.ts';
import type { RrSet } from './port.ts';

/** Of the records at the apex that nobody writes. */
export const APEX_TTL = 3_600;

/** The SOA and NS records of a zone, which follow from its name servers, the primary first. */
export function apexRrSets(zone: string, nameservers: readonly string[], serial: number): readonly RrSet[] {
  const { refresh, retry, expire, minimum } = SOA_TIMERS;
  const soa = `${nameservers[0] ?? zone}. hostmaster.${zone}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
  return [
    { name: zone, type: 'SOA', ttl: APEX_TTL, records: [soa] },
    { name: zone, type: 'NS', ttl: APEX_TTL, records: nameservers.map((host) => `${host}.`) },
  ];
}

/** Why these record sets cannot be a zone's, or null: they are outside of it, twice there, or the system's own. */
export function misplacedRrSet(zone: string, rrsets: readonly RrSet[]): string | null {
  const seen = new Set<string>();
  for (const { name, type } of rrsets) {
    if (name !== zone && !name.endsWith(`.${zone}`)) return `${name} is not in ${zone}`;
    if (type === 'SOA' || (type === 'NS' && name === zone))
      return `${type} of ${zone} follows from its name servers`;
    if (seen.has(`${name} ${type}`)) return `${name} ${type} is there twice`;
    seen.add(`${name} ${type}`);
  }
  return null;
}
