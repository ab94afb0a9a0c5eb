const LEVELS = ' ▁▂▃▄▅▆▇█';

/** A curve in one line of text: each column is the mean of its share of the values. */
export function plot(name: string, values: readonly number[], width = 72): string {
  const columns = Array.from({ length: Math.min(width, values.length) }, (_, column) => {
    const from = Math.floor((column * values.length) / Math.min(width, values.length));
    const to = Math.max(
      from + 1,
      Math.floor(((column + 1) * values.length) / Math.min(width, values.length)),
    );
    const part = values.slice(from, to);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
  const most = Math.max(...columns, 1);
  const line = columns.map((value) => LEVELS[Math.round((Math.max(0, value) / most) * 8)]).join('');
  return `${name.padEnd(10)} ${line} ${Math.round(most).toLocaleString('en')}`;
}
