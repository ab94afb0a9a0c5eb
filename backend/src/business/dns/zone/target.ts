import type { Name } from '../../../base/dns/name.ts';
import type { RecordType } from '../../../base/dns/record.ts';
import type { ZoneRecord } from './record.ts';

const TARGET_FIRST: ReadonlySet<RecordType> = new Set([
  'ALIAS',
  'CNAME',
  'HTTPS',
  'MX',
  'NS',
  'PTR',
  'SRV',
  'SVCB',
]);

/** The name that a record points to; null for records that point to none, or say that there is none. */
export function targetOf({ type, content }: ZoneRecord): Name | null {
  if (!TARGET_FIRST.has(type)) return null;
  const target = content.split(' ', 1)[0] ?? '.';
  return target === '.' ? null : target.slice(0, -1);
}
