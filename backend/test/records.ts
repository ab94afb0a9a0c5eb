import fc from 'fast-check';
import type { RecordInput } from '../src/base/dns/read-record.ts';
import { RECORD_TYPES, type RecordType } from '../src/base/dns/record.ts';

/** Records as customers may write them: valid ones of every type, in many ways of writing. */
const label = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,10}[A-Za-z0-9])?$/).filter((text) => {
  return !/^xn--/i.test(text) && !/^[0-9]+$/.test(text);
});
const host = fc
  .array(label, { minLength: 1, maxLength: 4 })
  .chain((labels) => fc.constantFrom(labels.join('.'), `${labels.join('.')}.`));
const serviceLabel = fc.oneof(
  label,
  label.map((text) => `_${text}`),
  fc.constant('bücher'),
  fc.constant('a\\.b'),
);
const anyName = fc.oneof(
  host,
  fc.array(serviceLabel, { minLength: 2, maxLength: 4 }).map((labels) => `${labels.join('.')}.`),
  fc.constant('@'),
);
const owner = fc.oneof(
  fc.constantFrom('@', '*', '*.a', '_dmarc', 'a/b', 'www.example.com.', 'x.example.com.example.com.'),
  fc
    .array(
      fc.oneof(
        label,
        label.map((text) => `_${text}`),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((all) => all.join('.')),
);
const uint = (most: number) => fc.integer({ min: 0, max: most });
const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const hex = (octets: number) =>
  fc
    .uint8Array({ minLength: octets, maxLength: octets })
    .map((all) => Buffer.from(all).toString('hex').toUpperCase());

/** Any octets in quotes: escaped where they must be, and sometimes where they need not. */
const quoted = (maxLength: number, octet = uint(255)) =>
  fc.array(fc.tuple(octet, fc.boolean()), { maxLength }).map((octets) => {
    const text = octets.map(([one, asDigits]) => {
      const character = String.fromCharCode(one);
      if (asDigits || one < 0x20 || one > 0x7e) return `\\${String(one).padStart(3, '0')}`;
      return character === '"' || character === '\\' ? `\\${character}` : character;
    });
    return `"${text.join('')}"`;
  });
const text = fc.oneof(
  fc.array(quoted(300), { minLength: 1, maxLength: 3 }).map((chunks) => chunks.join(' ')),
  fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map((chosen) => `a${chosen.replace(/["\\\p{Cc}\ufffd]/gu, '')}z`),
);

/** Parentheses and semicolons cannot be there. */
const parameterOctet = uint(255).filter((octet) => ![0x28, 0x29, 0x3b].includes(octet));

const parameters = fc
  .record(
    {
      alpn: fc.constantFrom('alpn=h2,h3', 'alpn="h2"', 'key1="\\002h2"'),
      port: uint(65_535).map((port) => `port=${port}`),
      ipv4hint: fc.array(ipv4, { minLength: 1, maxLength: 3 }).map((all) => `ipv4hint=${all.join(',')}`),
      ipv6hint: fc.constant('ipv6hint=2001:DB8::1,2001:db8:0:0:1::'),
      ech: fc
        .uint8Array({ minLength: 1, maxLength: 40 })
        .map((all) => `ech=${Buffer.from(all).toString('base64')}`),
      dohpath: fc.constant('dohpath=/dns-query{?dns}'),
      other: fc
        .tuple(fc.integer({ min: 20, max: 65_534 }), quoted(20, parameterOctet))
        .map(([key, value]) => `key${key}=${value}`),
    },
    { requiredKeys: [] },
  )
  .chain((chosen) => fc.shuffledSubarray(Object.values(chosen)));

type Fields = Pick<RecordInput, 'content' | 'priority' | 'weight' | 'port'>;
const content = (value: fc.Arbitrary<string>): fc.Arbitrary<Fields> => value.map((one) => ({ content: one }));
const join = (...parts: fc.Arbitrary<string | number>[]) => fc.tuple(...parts).map((all) => all.join('  '));
const binding: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({ content: anyName, priority: fc.constant(0) }),
  fc.record({
    content: fc.tuple(anyName, parameters).map(([target, all]) => [target, ...all].join(' ')),
    priority: fc.integer({ min: 1, max: 65_535 }),
  }),
);
const association = content(
  fc.oneof(
    join(fc.constantFrom(0, 1, 2, 3, 255), fc.constantFrom(0, 1), fc.constant(1), hex(32)),
    join(fc.constantFrom(2, 3), fc.constantFrom(0, 1), fc.constant(2), hex(32), hex(32)),
  ),
);

const BY_TYPE: Readonly<Record<RecordType, fc.Arbitrary<Fields>>> = {
  A: content(ipv4),
  AAAA: content(ipv6),
  ALIAS: content(anyName),
  CAA: content(join(fc.constantFrom(0, 128), fc.constantFrom('issue', 'IODEF', 'x9'), quoted(400))),
  CNAME: content(anyName),
  DS: content(
    fc.oneof(
      join(uint(65_535), uint(255), fc.constant(2), hex(32)),
      join(uint(65_535), uint(255), fc.constant(4), hex(48)),
    ),
  ),
  HTTPS: binding,
  MX: fc.record({ content: fc.oneof(host, fc.constant('.')), priority: uint(65_535) }),
  NAPTR: content(
    fc.oneof(
      join(
        uint(65_535),
        uint(65_535),
        fc.constantFrom('S', '""', '"u"'),
        quoted(60),
        quoted(255),
        fc.constant('.'),
      ),
      join(uint(65_535), uint(65_535), fc.constantFrom('S', '""'), quoted(60), fc.constant('""'), anyName),
    ),
  ),
  NS: content(host),
  PTR: content(anyName),
  SMIMEA: association,
  SRV: fc.record({
    content: fc.oneof(host, fc.constant('.')),
    priority: uint(65_535),
    weight: uint(65_535),
    port: uint(65_535),
  }),
  SSHFP: content(
    fc.oneof(
      join(fc.constantFrom(1, 4), fc.constant(2), hex(32)),
      join(fc.constant(3), fc.constant(1), hex(20)),
    ),
  ),
  SVCB: binding,
  TLSA: association,
  TXT: content(text),
  URI: fc.record({
    content: fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => `"${url}"`),
    priority: uint(65_535),
    weight: uint(65_535),
  }),
};

export const recordInput: fc.Arbitrary<RecordInput & { readonly type: RecordType }> = fc
  .constantFrom(...RECORD_TYPES)
  .chain((type) =>
    fc
      .tuple(
        BY_TYPE[type],
        owner,
        fc.integer({ min: 60, max: 604_800 }),
        fc.boolean(),
        fc.option(
          fc
            .string({ unit: 'grapheme', maxLength: 60 })
            .map((comment) => comment.replace(/[\p{Cc}\ufffd]/gu, '')),
        ),
      )
      .map(([fields, name, ttl, disabled, comment]) => ({ ...fields, type, name, ttl, disabled, comment })),
  );
