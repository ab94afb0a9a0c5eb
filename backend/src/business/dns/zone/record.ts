import type { RecordInput } from '../../../base/dns/read-record.ts';
import type { DescribedRecord } from '../../../base/dns/record.ts';

/** A record in the books. Members are named as in the interface and in the table. */
export interface ZoneRecord extends DescribedRecord {
  readonly id: string;
  /** Seconds; the same for all records of one name and type. */
  readonly ttl: number;
  /** The system's records are changed by nobody else. */
  readonly managed_by: 'customer' | 'system';
}

export type RecordChange =
  | (RecordInput & { readonly action: 'create' })
  | (RecordInput & { readonly action: 'update'; readonly id: string })
  | { readonly action: 'delete'; readonly id: string };

/** The three ways to ask for a change of a zone (`domain/dns-update`); the last two replace all of it. */
export type ZoneInput =
  | { readonly changes: readonly RecordChange[] }
  | { readonly records: readonly RecordInput[] }
  | { readonly zonefile: string };
