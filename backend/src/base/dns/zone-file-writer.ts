import type { Name } from './name.ts';
import { type DescribedRecord, rdataText } from './record.ts';
import { DISABLED_MARK } from './zone-file-lines.ts';

/** A record whose TTL is known. */
export type WrittenRecord = DescribedRecord & { readonly ttl: number };

/** What the system adds to every zone. */
export interface Authority {
  /** The first is the primary. */
  readonly nameservers: readonly Name[];
  /** As a name: the dot is its at sign (RFC 1035 §8). */
  readonly mailbox: Name;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

/**
 * A zone file (RFC 1035 §5) that `readZoneFile` reads back as the same records in the same order. Comments end the
 * lines of their records; disabled records are comments to everybody else.
 */
export function writeZoneFile(
  zone: Name,
  defaultTtl: number,
  authority: Authority | null,
  records: Iterable<WrittenRecord>,
): string {
  const lines = [`$ORIGIN ${zone}.`, `$TTL ${defaultTtl}`];
  if (authority !== null) lines.push(...authorityLines(authority));
  for (const record of records) {
    const mark = record.disabled ? DISABLED_MARK : '';
    const comment = record.comment === null ? '' : ` ; ${record.comment}`;
    lines.push(`${mark}${record.name}\t${record.ttl}\tIN\t${record.type}\t${rdataText(record)}${comment}`);
  }
  return `${lines.join('\n')}\n`;
}

function authorityLines(authority: Authority): string[] {
  const { nameservers, mailbox, serial, refresh, retry, expire, minimum } = authority;
  const timers = [serial, refresh, retry, expire, minimum].join(' ');
  return [
    `@\tIN\tSOA\t${nameservers[0] ?? ''}. ${mailbox}. ${timers}`,
    ...nameservers.map((nameserver) => `@\tIN\tNS\t${nameserver}.`),
  ];
}
