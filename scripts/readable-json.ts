/** The widest line that a value is written into whole. */
const WIDTH = 120;

/**
 * JSON for people who read its changes: what fits into a line stands in one, what has one member opens in the line of
 * its name, all else is a member a line.
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
    const opening = `{ ${JSON.stringify(only[0])}: `;
    return `${opening}${lines(only[1], indent, taken + opening.length)} }`;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const key = `${JSON.stringify(name)}: `;
    return `${deeper}${key}${lines(member, deeper, key.length)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** Words and numbers: as many in a line as fit. */
function filled(items: readonly unknown[], indent: string): string {
  const deeper = `${indent}  `;
  const rows: string[] = [];
  for (const [index, item] of items.entries()) {
    const text = `${JSON.stringify(item)}${index < items.length - 1 ? ',' : ''}`;
    const last = rows.at(-1);
    if (last !== undefined && `${last} ${text}`.length <= WIDTH) rows[rows.length - 1] = `${last} ${text}`;
    else rows.push(`${deeper}${text}`);
  }
  return `[\n${rows.join('\n')}\n${indent}]`;
}

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
