import fc from 'fast-check';
import type { Schema } from '../src/wire/schema.ts';

/** Values that exist, so that inputs get further than "there is no such thing". */
export interface Known {
  readonly uuids: readonly string[];
  readonly words: readonly string[];
}

/** Values that fit a JSON Schema. */
export function fitting(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return fc.oneof(...forms.map((form) => fitting(form, known)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (typeof schema.type === 'object') {
    return fc.oneof(...schema.type.map((type) => fitting({ ...schema, type }, known)));
  }
  switch (schema.type) {
    case 'string':
      return text(schema, known);
    case 'integer':
      return fc.maxSafeInteger().map((value) => clamped(value, schema));
    case 'number':
      return fc.integer({ min: 0, max: 1_000_000 }).map((value) => clamped(value / 100, schema));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5 + (schema.minItems ?? 0)),
      });
    case 'object':
      return object(schema, known);
    default:
      return fc.jsonValue();
  }
}

function object(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    members[name] = fitting(member, known);
  return fc.record(members, { requiredKeys: [...(schema.required ?? [])] });
}

function text(schema: Schema, known: Known): fc.Arbitrary<string> {
  const size = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 200) };
  switch (schema.format) {
    case 'uuid':
      return fc.oneof(fc.uuid(), fc.constantFrom(...known.uuids));
    case 'ipv4':
      return fc.ipV4();
    case 'ipv6':
      return fc.ipV6();
    case 'email':
      return fc.emailAddress();
  }
  const words = fc.constantFrom(...known.words);
  const free = fc.oneof(
    { weight: 2, arbitrary: words },
    strings(size.minLength, size.maxLength),
    graphemes(size.minLength, size.maxLength),
  );
  return schema.pattern === undefined ? free : fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), free);
}

/** Made once for each size: a string's arbitrary begins with a look at hundreds of texts that hurt programs. */
const strings = ofSize((minLength, maxLength) => fc.string({ minLength, maxLength }));
const graphemes = ofSize((minLength, maxLength) => fc.string({ minLength, maxLength, unit: 'grapheme' }));
const anyCharacters = fc.string({ unit: 'binary' });

function ofSize(make: (minLength: number, maxLength: number) => fc.Arbitrary<string>): typeof make {
  const made = new Map<string, fc.Arbitrary<string>>();
  return (minLength, maxLength) =>
    made.getOrInsertComputed(`${minLength}-${maxLength}`, () => make(minLength, maxLength));
}

/** Most numbers lie outside of most bounds: these are the bounds themselves and what is next to them, too. */
function clamped(value: number, { minimum, maximum }: Schema): number {
  return Math.min(Math.max(value, minimum ?? -Infinity), maximum ?? Infinity);
}

/** JSON texts that no program should trip over, each a value that may stand anywhere. */
const hostileValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '{}',
    '[]',
    '[[]]',
    '""',
    '" "',
    '-0',
    '0.1',
    '1e308',
    '-1e308',
    '1e999',
    '9007199254740993',
    '123456789012345678901234567890',
    '1e-400',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\u202e\\ufeff\\u2028"',
    '"0000-00-00 00:00:00"',
    '"9999-12-31 23:59:59"',
    '"+275760-09-13"',
    '"NaN"',
    '"\'; DROP TABLE accounts; --"',
    '"%00%ff"',
    '"../../etc/passwd"',
    '"::ffff:192.0.2.7"',
    '"fe80::1%eth0"',
    '"0.0.0.0/0"',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":1}}',
    '{"length":1e9}',
    '{"toString":1,"valueOf":2,"toJSON":3}',
  ),
  fc.constantFrom(...[100, 256, 70_000].map((length) => JSON.stringify('é'.repeat(length)))),
  fc.constantFrom(...[31, 32, 33, 20_000].map((depth) => '['.repeat(depth) + ']'.repeat(depth))),
  fc.constantFrom(...[2000, 60_000].map((length) => `[${Array(length).fill('1').join()}]`)),
  anyCharacters.map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
);

/** Names that mean something to some program. */
const hostileName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  'a/b~c',
  'dry_run',
  'uuid',
);

/** The input that is right, with a few members as they might be too. */
function around(right: object, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return fc.constant(right);
  const change = fc.oneof(
    ...members.map(([name, member]) => fitting(member, known).map((value) => ({ [name]: value }))),
  );
  return fc.array(change, { maxLength: 2 }).map((changes) => Object.assign({}, right, ...changes));
}

/** Bodies for an operation with this right input: such as fit, such as nearly fit, and such as nobody sends by accident. */
export function bodies(schema: Schema, known: Known, right: object): fc.Arbitrary<Buffer> {
  const names = [...Object.keys(schema.properties ?? {}), 'unknown'];
  const fit = fc.oneof(object(schema, known), around(right, schema, known));
  const spoilt = fc
    .tuple(fit, fc.constantFrom(...names), hostileValue)
    .map(([value, name, hostile]) => withMember(value, name, hostile));
  const twice = fc
    .tuple(fit, fc.constantFrom(...names), hostileValue, hostileValue)
    .map(([value, name, one, other]) =>
      withMember(JSON.parse(withMember(value, name, '0')), name, one, other),
    );
  const named = fc
    .tuple(fit, hostileName, hostileValue)
    .map(([value, name, hostile]) => withMember(value, name, hostile));
  const cut = fc.tuple(fit, fc.nat({ max: 200 })).map(([value, at]) => JSON.stringify(value).slice(0, at));
  const texts = fc.oneof(
    { weight: 6, arbitrary: fit.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: spoilt },
    { weight: 1, arbitrary: twice },
    { weight: 2, arbitrary: named },
    { weight: 1, arbitrary: hostileValue },
    { weight: 1, arbitrary: cut },
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value)),
    fit.map((value) => Buffer.from(`\ufeff${JSON.stringify(value)}`)),
    fit.map((value) => Buffer.from(JSON.stringify(value), 'utf16le')),
    fit.map((value) =>
      Buffer.concat([Buffer.from(JSON.stringify(value).slice(0, -1)), Buffer.from([0xc3, 0x28])]),
    ),
  );
  return fc.oneof(
    { weight: 12, arbitrary: texts.map((value) => Buffer.from(value)) },
    { weight: 1, arbitrary: bytes },
  );
}

/** The object as JSON with one member replaced or added, which may then stand there twice. */
function withMember(value: unknown, name: string, ...texts: readonly string[]): string {
  const rest = Object.entries(value ?? {}).filter(([known]) => known !== name);
  const members = rest.map(([known, member]) => `${JSON.stringify(known)}:${JSON.stringify(member)}`);
  return `{${[...members, ...texts.map((text) => `${JSON.stringify(name)}:${text}`)].join()}}`;
}

/** Query strings for an operation, from such as fit to such as are none. */
export function queries(schema: Schema, known: Known): fc.Arbitrary<string> {
  const names = fc.oneof(fc.constantFrom(...Object.keys(schema.properties ?? {}), 'unknown'), hostileName);
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '1',
      '-1',
      '1e9',
      'true',
      '%',
      '%ff',
      '%00',
      '%ed%a0%80',
      '%E2%82',
      'a%26b',
      '1%2e5',
      '+',
      '[',
    ),
    anyCharacters.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom(...known.uuids, ...known.words).map(encodeURIComponent),
  );
  const pair = fc.tuple(names, value).map(([name, text]) => `${encodeURIComponent(name)}=${text}`);
  const fit = object(schema, known).map((input) =>
    Object.entries(input ?? {})
      .flatMap(([name, member]) =>
        [member].flat().map((item) => `${name}=${encodeURIComponent(String(item).toWellFormed())}`),
      )
      .join('&'),
  );
  return fc.oneof(
    fit,
    fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&')),
    fc.constantFrom('', '&&', '=', '?', '&=&'),
  );
}

/** Header fields that the program reads, with values as clients may send them. */
export const headerFields: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'idempotency-key': visible(300),
    'accept-language': fc.oneof(visible(40), fc.constantFrom('de;q=x, en;q=0', '*', 'de-AT,de;q=0.9', ',;,')),
    prefer: fc.constantFrom('wait=0', 'wait=-1', 'wait=999999', 'wait=x', 'respond-async, wait=0'),
    accept: fc.constantFrom('application/problem+json', 'text/html', '*/*;q=0', ''),
    cookie: visible(60).map((value) => `hostkeep_session=${value}`),
    'x-csrf-token': visible(60),
    'x-forwarded-for': fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('unknown', 'fe80::1%eth0', '::ffff:192.0.2.7', '"[2001:db8::1]:80"', '1.2.3.4, , x'),
    ),
    'content-type': fc.constantFrom(
      ...Array<string>(9).fill('application/json'),
      'application/json; charset=utf-16',
      'APPLICATION/JSON ;x',
      'application/jsonx',
    ),
    'content-encoding': fc.constantFrom(...Array<string>(9).fill('identity'), 'gzip', 'x'),
    'user-agent': visible(400),
  },
  { requiredKeys: [] },
);

function visible(maxLength: number): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength,
  });
}
