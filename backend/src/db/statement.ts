/**
 * A fixed SQL text with the shape of its rows. It is prepared once per connection under its name, which
 * saves PostgreSQL the parsing and planning on every hot path. Values travel apart from the text, always.
 */
export interface Statement<Row extends object> {
  readonly name: string;
  readonly text: string;
  /** Never set: carries the type. */
  readonly row?: Row;
}

const names = new Set<string>();

export function statement<Row extends object>(name: string, text: string): Statement<Row> {
  if (names.has(name)) throw new Error(`two statements are named ${name}`);
  names.add(name);
  return { name, text };
}

export type SqlValue = unknown;

/** Values as the driver can send them: moments as ISO 8601 text, everything else as it is. */
export function encodeValues(values: readonly SqlValue[]): SqlValue[] {
  return values.map(encodeValue);
}

function encodeValue(value: SqlValue): SqlValue {
  if (value instanceof Temporal.Instant) return value.toString();
  if (Array.isArray(value)) return value.map(encodeValue);
  return value;
}
