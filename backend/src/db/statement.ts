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

const texts = new Map<string, string>();

export function statement<Row extends object>(name: string, text: string): Statement<Row> {
  if (texts.has(name)) throw new Error(`two statements are named ${name}`);
  texts.set(name, text);
  return { name, text };
}

/** The text of each statement of the modules that are loaded, by its name. */
export function statementTexts(): ReadonlyMap<string, string> {
  return texts;
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
