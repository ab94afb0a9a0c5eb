/** The widest line that a value is written into whole. */
const WIDTH = 140;
/** Members that are looked at as a whole: examples of answers, the few members of an event, the parts of an answer. */
const PACKED: ReadonlySet<string> = new Set(['example', 'data', 'allOf']);

/**
 * JSON for people who read its changes: what fits into a line stands in one, what has one member opens in the line of
 * its name, all else is a member a line. Of examples, answers by their statuses, and what an operation is, as many members
 * stand in a line as fit: they are looked at as a whole.
 */
export function readableJson(value: unknown): string {
  return `${lines(value, '', 0)}\n`;
}

/** `taken`: what stands before it in its line. */
function lines(value: unknown, indent: string, taken: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = inLine(value);
  if (indent.length + taken + line.length < WIDTH) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value) && value.length === 1) return `[${lines(value[0], indent, taken + 1)}]`;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return filled(value, indent);
  if (Array.isArray(value)) {
    const items = value.map((item) => `${deeper}${lines(item, deeper, 0)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const [only, ...more] = Object.entries(value);
  if (only !== undefined && more.length === 0) {
    const [name, member] = only;
    const opening = `{ ${JSON.stringify(name)}: `;
    const shown = PACKED.has(name) ? packed(member, indent) : lines(member, indent, taken + opening.length);
    return `${opening}${shown} }`;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const key = `${JSON.stringify(name)}: `;
    return `${key}${PACKED.has(name) ? packed(member, deeper) : lines(member, deeper, key.length)}`;
  });
  const isPacked = 'operationId' in value || isResponses(value);
  return `{\n${isPacked ? inRows(members, deeper) : deeper + members.join(`,\n${deeper}`)}\n${indent}}`;
}

/** Answers by their statuses. */
function isResponses(value: object): boolean {
  return Object.keys(value).every((name) => name === 'default' || /^\d(XX|\d\d)$/.test(name));
}

/** As many members or items in a line as fit. */
function packed(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const whole = inLine(value);
  if (indent.length + whole.length < WIDTH) return whole;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value).map(([name, member]) => {
    const key = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    const line = `${key}${inLine(member)}`;
    return deeper.length + line.length < WIDTH ? line : `${key}${packed(member, deeper)}`;
  });
  if (Array.isArray(value) && value.length === 1) return `[${packed(value[0], indent)}]`;
  return `${open}\n${inRows(parts, deeper)}\n${indent}${close}`;
}

/** Words and numbers: as many in a line as fit. */
function filled(items: readonly unknown[], indent: string): string {
  const deeper = `${indent}  `;
  return `[\n${inRows(
    items.map((item) => JSON.stringify(item)),
    deeper,
  )}\n${indent}]`;
}

function inRows(parts: readonly string[], indent: string): string {
  const rows: string[] = [];
  for (const [index, part] of parts.entries()) {
    const text = `${part}${index < parts.length - 1 ? ',' : ''}`;
    const last = rows.at(-1);
    const fits = last !== undefined && !text.includes('\n') && `${last} ${text}`.length <= WIDTH;
    // What spans lines of its own ends where it ends.
    if (fits && !last.includes('\n')) rows[rows.length - 1] = `${last} ${text}`;
    else rows.push(`${indent}${text}`);
  }
  return rows.join('\n');
}

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
