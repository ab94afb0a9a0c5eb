/** What customers can have in a zone (operations.md §2). SOA and the name servers of the zone itself are the system's. */
export const RECORD_TYPES = [
  'A',
  'AAAA',
  'ALIAS',
  'CAA',
  'CNAME',
  'DS',
  'HTTPS',
  'MX',
  'NAPTR',
  'NS',
  'PTR',
  'SMIMEA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** Parts of the RDATA that are fields of their own, in the order in which they precede the content there. */
export const NUMBER_FIELDS = ['priority', 'weight', 'port'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

/** RDATA in the one form that equal RDATA has. */
export interface Rdata extends Readonly<Record<NumberField, number | null>> {
  /** The rest of the RDATA in presentation format (RFC 1035 §5.1); names are absolute and end with a dot. */
  readonly content: string;
}

/** What a record says and where; two with the same are duplicates. */
export interface RecordValue extends Rdata {
  /** Relative to the zone, as `relativeName` writes it; `@` is the apex. */
  readonly name: string;
  readonly type: RecordType;
}

/** A record with what is said about it. */
export interface DescribedRecord extends RecordValue {
  /** Seconds; null where it is not said. */
  readonly ttl: number | null;
  /** Kept, but not published. */
  readonly disabled: boolean;
  readonly comment: string | null;
}

export type RecordField = 'name' | 'type' | 'content' | 'ttl' | 'comment' | NumberField;

/** Why something is no record; the codes are those of errors[] items (operations.md §12). */
export interface RecordProblem {
  readonly field: RecordField;
  readonly error: 'required' | 'invalid_format' | 'out_of_range' | 'too_long' | 'not_allowed';
  readonly message: string;
  readonly allowed?: readonly unknown[];
  readonly limit?: number;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: RecordProblem };

export function isRecordType(text: string): text is RecordType {
  return (RECORD_TYPES as readonly string[]).includes(text);
}

/** The whole RDATA in presentation format: `10 mail.example.com.` for an MX record. */
export function rdataText(rdata: Rdata): string {
  const numbers = NUMBER_FIELDS.map((field) => rdata[field]).filter((number) => number !== null);
  return [...numbers, rdata.content].join(' ');
}

/** Equal for records that are duplicates of each other, and only for them. */
export function recordKey(value: RecordValue): string {
  return `${value.name} ${value.type} ${rdataText(value)}`;
}
