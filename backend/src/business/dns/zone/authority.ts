import { SOA_TIMERS } from '../../../base/dns/soa.ts';
import type { Authority } from '../../../base/dns/zone-file-writer.ts';
import type { Zone } from './zone.ts';

/** What the system adds to a zone, as name servers have it; null: it is delegated nowhere. */
export function authorityOf({ name, nameservers, serial }: Zone): Authority | null {
  if (nameservers.length === 0) return null;
  return { nameservers, mailbox: `hostmaster.${name}`, serial: Number(serial), ...SOA_TIMERS };
}
