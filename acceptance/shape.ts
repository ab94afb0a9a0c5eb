import { isObject, type Json } from './json.ts';

/** Says what is wrong with a value, one line a fault, each beginning with the fault's path; nothing when it fits. */
export type Shape = (value: Json, path: string) => string[];

function kind(name: string, fits: (value: Json) => boolean): Shape {
  return (value, path) =>
    fits(value) ? [] : [`${path || '/'}: ${name} expected, got ${JSON.stringify(value).slice(0, 120)}`];
}

function text(name: string, pattern: RegExp): Shape {
  return kind(name, (value) => typeof value === 'string' && pattern.test(value));
}

export const string = kind('a string', (value) => typeof value === 'string');
export const filledString = text('a string that is not empty', /./s);
export const boolean = kind('a boolean', (value) => typeof value === 'boolean');
export const number = kind('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const integer = kind('an integer', (value) => Number.isSafeInteger(value));
export const anything: Shape = () => [];
/** An amount in major units, printed with at most two decimals. */
export const money = kind('an amount with at most 2 decimals', (value) => decimals(value) <= 2);
/** `pricings.hour` alone may have four decimals. */
export const hourlyPrice = kind('an amount with at most 4 decimals', (value) => decimals(value) <= 4);
export const numericText = text('numeric text', /^\d+$/);
export const uuid = text(
  'a lower-case UUID',
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
);
export const currency = text('an ISO 4217 code', /^[A-Z]{3}$/);
export const timestamp = kind('a timestamp YYYY-MM-DD HH:MM:SS', isTimestamp);

export const exactly = (wanted: Json) => kind(JSON.stringify(wanted), (value) => value === wanted);
export const oneOf = (...wanted: Json[]) =>
  kind(`one of ${JSON.stringify(wanted)}`, (value) => wanted.includes(value));
export const matching = (name: string, pattern: RegExp) => text(name, pattern);
export const nullable =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path);

export function array(item: Shape): Shape {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => item(entry, `${path}/${index}`))
      : [`${path || '/'}: an array expected, got ${JSON.stringify(value).slice(0, 120)}`];
}

/** Every named field must exist, and no other may. */
export function object(fields: Record<string, Shape>, optional: Record<string, Shape> = {}): Shape {
  return (value, path) => {
    if (!isObject(value)) {
      return [`${path || '/'}: an object expected, got ${JSON.stringify(value).slice(0, 120)}`];
    }
    const faults: string[] = [];
    for (const [name, shape] of Object.entries(fields)) {
      const field = value[name];
      faults.push(...(field === undefined ? [`${path}/${name}: missing`] : shape(field, `${path}/${name}`)));
    }
    for (const [name, field] of Object.entries(value)) {
      if (Object.hasOwn(fields, name)) continue;
      const shape = Object.hasOwn(optional, name) ? optional[name] : undefined;
      faults.push(...(shape ? shape(field, `${path}/${name}`) : [`${path}/${name}: not documented`]));
    }
    return faults;
  };
}

/** Reads a wire timestamp as UTC, and refuses what is not a moment (`2026-02-30 …`). */
function isTimestamp(value: Json): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return false;
  const iso = value.replace(' ', 'T');
  const milliseconds = Date.parse(`${iso}Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(iso);
}

function decimals(value: Json): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return Number.POSITIVE_INFINITY;
  const printed = String(value);
  if (printed.includes('e')) return Number.POSITIVE_INFINITY;
  return printed.split('.')[1]?.length ?? 0;
}
