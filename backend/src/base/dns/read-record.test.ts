import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordInput } from '../../../test/records.ts';
import { rdataOctets } from './rdata.ts';
import { type RecordInput, readRecord } from './read-record.ts';
import { RECORD_TYPES, rdataText } from './record.ts';

const ZONE = 'example.com';
const HASH = 'ab'.repeat(32);

const read = (input: RecordInput) => readRecord({ name: 't', ...input }, ZONE);
const written = (input: RecordInput) => {
  const found = read(input);
  assert.ok(found.ok, found.ok ? '' : found.problem.message);
  return rdataText(found.value);
};
const refused = (input: RecordInput) => {
  const found = read(input);
  assert.ok(!found.ok, found.ok ? rdataText(found.value) : '');
  return `${found.problem.field} ${found.problem.error}`;
};

test('every valid record of every type has one form, which is read as itself', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(recordInput, (input) => {
      const once = readRecord(input, ZONE);
      assert.ok(once.ok, once.ok ? '' : `${input.type} ${input.content}: ${once.problem.message}`);
      const { ttl, ...value } = once.value;
      const twice = readRecord({ ...value, ttl: ttl ?? 60 }, ZONE);
      assert.deepEqual(twice, once);
      assert.ok(rdataOctets(once.value.type, once.value) > 0);
      seen.add(once.value.type);
    }),
    { numRuns: 2_000 },
  );
  assert.deepEqual([...seen].sort(), [...RECORD_TYPES].sort());
});

test('no input makes reading throw', () => {
  const anything = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...RECORD_TYPES), fc.string()),
      name: fc.string({ unit: 'binary' }),
      content: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 60 })),
      priority: fc.oneof(fc.constant(null), fc.double()),
      weight: fc.oneof(fc.constant(null), fc.integer()),
      port: fc.oneof(fc.constant(null), fc.integer()),
      ttl: fc.double(),
      comment: fc.string({ unit: 'binary' }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anything, (input) => typeof readRecord(input, ZONE).ok === 'boolean'),
    { numRuns: 2_000 },
  );
});

test('text means the same after it was brought into its form: the octets are those that were written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 900 }), (octets) => {
      const escaped = [...octets].map((octet) => `\\${String(octet).padStart(3, '0')}`).join('');
      const chunks = written({ type: 'TXT', content: escaped }).match(/"(?:[^"\\]|\\.)*"/gs) ?? [];
      const decoded = chunks.flatMap((chunk) =>
        [...chunk.slice(1, -1).matchAll(/\\([0-9]{3})|\\(.)|(.)/gs)].map(([, digits, special, plain]) =>
          digits === undefined ? (special ?? plain ?? '').charCodeAt(0) : Number(digits),
        ),
      );
      assert.deepEqual(decoded, [...octets]);
      assert.equal(chunks.length, Math.ceil(octets.length / 255));
    }),
  );
});

test('TXT is taken as it is, or as character-strings in quotes', () => {
  assert.equal(written({ type: 'TXT', content: ' v=spf1 mx  ~all ' }), '"v=spf1 mx  ~all"');
  assert.equal(written({ type: 'TXT', content: '"a" "b"' }), '"a" "b"');
  assert.equal(written({ type: 'TXT', content: 'v=DKIM1\\; p=\\"x\\"' }), '"v=DKIM1; p=\\"x\\""');
  assert.equal(written({ type: 'TXT', content: 'ü' }), '"\\195\\188"');
  assert.equal(written({ type: 'TXT', content: '""' }), '""');
  assert.equal(written({ type: 'TXT', content: 'x'.repeat(256) }), `"${'x'.repeat(255)}" "x"`);
  assert.equal(refused({ type: 'TXT', content: 'a "b"' }), 'content invalid_format');
  assert.equal(refused({ type: 'TXT', content: '"a" b' }), 'content invalid_format');
  assert.equal(refused({ type: 'TXT', content: 'a\\' }), 'content invalid_format');
  assert.equal(refused({ type: 'TXT', content: '"\\256"' }), 'content invalid_format');
  assert.equal(refused({ type: 'TXT', content: 'a\nb' }), 'content invalid_format');
  assert.equal(refused({ type: 'TXT', content: 'x'.repeat(64_001) }), 'content too_long');
});

test('a name without a dot is relative to the zone, a name with one is absolute', () => {
  const target = (content: string) => written({ type: 'CNAME', content });
  assert.equal(target('mail'), 'mail.example.com.');
  assert.equal(target('mail.example.net'), 'mail.example.net.');
  assert.equal(target('mail.'), 'mail.');
  assert.equal(target('@'), 'example.com.');
  assert.equal(target('BÜCHER.example'), 'xn--bcher-kva.example.');
  assert.equal(target('_x.A\\.b.'), '_x.a\\.b.');
  assert.equal(refused({ type: 'CNAME', content: '192.0.2.1' }), 'content invalid_format');
  assert.equal(refused({ type: 'CNAME', content: 'a;b.' }), 'content not_allowed');
  assert.equal(refused({ type: 'CNAME', content: 'xn--99999999.' }), 'content invalid_format');
  assert.equal(refused({ type: 'CNAME', content: `${'a'.repeat(64)}.` }), 'content too_long');
  assert.equal(refused({ type: 'CNAME', content: 'a.'.repeat(300) }), 'content too_long');
  assert.equal(written({ type: 'CNAME', content: 'a.'.repeat(127) }).length, 254);
  assert.equal(refused({ type: 'CNAME', content: 'a.'.repeat(128) }), 'content too_long');
});

test('where a record is is written relative to the zone, and said in one way', () => {
  const place = (name: string) => {
    const found = read({ name, type: 'A', content: '192.0.2.1' });
    return found.ok ? found.value.name : found.problem.error;
  };
  assert.equal(place('@'), '@');
  assert.equal(place('Example.Com'), '@');
  assert.equal(place('www.example.com'), 'www');
  assert.equal(place('www.example.com.'), 'www');
  assert.equal(place('www.example.com.example.com.'), 'www.example.com.example.com.');
  assert.equal(place('1.2.0.192'), '1.2.0.192');
  assert.equal(place('*.a'), '*.a');
  assert.equal(place('_sip._tcp'), '_sip._tcp');
  assert.equal(place('a\\047b'), 'a/b');
  assert.equal(place('bücher'), 'xn--bcher-kva');
  for (const name of ['a.*', '*a', 'a@b', 'a b', 'a\\.b', 'a.b.', '.', 'example.com.evil.']) {
    assert.equal(place(name), 'not_allowed', name);
  }
  for (const name of ['a..b', 'xn--a', 'a\u0000', '\ud800', 'p\u0430ypal_']) {
    assert.equal(place(name), 'invalid_format', name);
  }
  assert.equal(place(''), 'required');
  assert.equal(place('a'.repeat(64)), 'too_long');
  assert.equal(place('a.'.repeat(121).slice(0, -1)), 'a.'.repeat(120).concat('a'));
  assert.equal(place('a.'.repeat(122).slice(0, -1)), 'too_long');
});

test('numbers of a record are fields of their own', () => {
  assert.equal(
    written({ type: 'SRV', content: 'sip', priority: 1, weight: 2, port: 5060 }),
    '1 2 5060 sip.example.com.',
  );
  assert.equal(refused({ type: 'MX', content: 'mail' }), 'priority required');
  assert.equal(refused({ type: 'MX', content: '10 mail', priority: 10 }), 'content invalid_format');
  assert.equal(refused({ type: 'MX', content: 'mail', priority: 65_536 }), 'priority out_of_range');
  assert.equal(refused({ type: 'MX', content: 'mail', priority: 1.5 }), 'priority out_of_range');
  assert.equal(refused({ type: 'MX', content: 'mail', priority: 10, port: 1 }), 'port not_allowed');
  assert.equal(refused({ type: 'A', content: '192.0.2.1', priority: 10 }), 'priority not_allowed');
});

test('targets of MX, NS and SRV are host names, where a dot may say that there is none', () => {
  assert.equal(written({ type: 'MX', content: '.', priority: 0 }), '0 .');
  assert.equal(written({ type: 'SRV', content: '.', priority: 0, weight: 0, port: 0 }), '0 0 0 .');
  assert.equal(refused({ type: 'NS', content: '.' }), 'content invalid_format');
  assert.equal(refused({ type: 'MX', content: 'a_b.c', priority: 0 }), 'content invalid_format');
  assert.equal(refused({ type: 'NS', content: '192.0.2.1.' }), 'content invalid_format');
});

test('addresses are of their family, and IPv6 in groups', () => {
  assert.equal(written({ type: 'AAAA', content: '2001:DB8:0:0::1' }), '2001:db8::1');
  assert.equal(written({ type: 'AAAA', content: '::ffff:192.0.2.1' }), '::ffff:c000:201');
  for (const content of ['192.0.2.256', '192.0.2', '010.0.0.1', '::1', '1.2.3.4 5']) {
    assert.equal(refused({ type: 'A', content }), 'content invalid_format', content);
  }
  for (const content of ['192.0.2.1', 'fe80::1%eth0', ':::']) {
    assert.equal(refused({ type: 'AAAA', content }), 'content invalid_format', content);
  }
});

test('digests are as long as their algorithm makes them', () => {
  assert.equal(written({ type: 'TLSA', content: `3 1 1 ${HASH.toUpperCase()}` }), `3 1 1 ${HASH}`);
  assert.equal(
    written({ type: 'DS', content: `1 13 2 ${HASH.slice(0, 20)} ${HASH.slice(20)}` }),
    `1 13 2 ${HASH}`,
  );
  for (const [type, content, problem] of [
    ['TLSA', `3 1 1 ${HASH}ab`, 'content invalid_format'],
    ['TLSA', `4 1 1 ${HASH}`, 'content not_allowed'],
    ['SMIMEA', '3 1 0', 'content required'],
    ['SMIMEA', '3 1 0 abc', 'content invalid_format'],
    ['SSHFP', `4 1 ${HASH}`, 'content invalid_format'],
    ['SSHFP', `5 2 ${HASH}`, 'content not_allowed'],
    ['DS', `1 13 4 ${HASH}`, 'content invalid_format'],
    ['DS', `1 13 9 ${HASH}`, 'content not_allowed'],
    ['DS', `65536 13 2 ${HASH}`, 'content out_of_range'],
  ] as const) {
    assert.equal(refused({ type, content }), problem, content);
  }
});

test('service bindings: parameters once, in order, and consistent with each other (RFC 9460)', () => {
  const binding = (content: string, priority = 1) => ({ type: 'HTTPS', content, priority });
  assert.equal(written(binding('. port=443 alpn="h2,h3"')), '1 . alpn=h2,h3 port=443');
  assert.equal(written(binding('. key1="\\002h2" key3="\\001\\187"')), '1 . alpn=h2 port=443');
  assert.equal(written(binding('. ech=AEX+DQ==')), '1 . ech="AEX+DQ=="');
  assert.equal(written(binding('. dohpath=/dns-query{?dns}')), '1 . key7="/dns-query{?dns}"');
  assert.equal(
    written(binding('. mandatory=port,alpn alpn=h2 port=1')),
    '1 . mandatory=alpn,port alpn=h2 port=1',
  );
  assert.equal(written(binding('cdn.example.net', 0)), '0 cdn.example.net.');
  for (const [content, error] of [
    ['. alpn=h2 alpn=h3', 'not_allowed'],
    ['. alpn=h2 key1="\\002h3"', 'not_allowed'],
    ['. no-default-alpn', 'required'],
    ['. mandatory=port', 'required'],
    ['. mandatory=mandatory', 'not_allowed'],
    ['. mandatory=port,port port=1', 'not_allowed'],
    ['. port=65536', 'out_of_range'],
    ['. port', 'required'],
    ['. alpn=', 'invalid_format'],
    ['. key1="\\005h2"', 'invalid_format'],
    ['. ech=***', 'invalid_format'],
    ['. ipv4hint=192.0.2.1,::1', 'invalid_format'],
    ['. key4="abc"', 'invalid_format'],
    ['. ipv6hint=::ffff:192.0.2.1', 'not_allowed'],
    ['. key65535="x"', 'not_allowed'],
    ['. key01="x"', 'not_allowed'],
    ['. unknown=1', 'not_allowed'],
    ['. dohpath=/q', 'invalid_format'],
    ['. key9="a"b', 'invalid_format'],
    ['. key9="a;b"', 'not_allowed'],
    ['. constructor=1', 'not_allowed'],
  ] as const) {
    assert.equal(refused(binding(content)), `content ${error}`, content);
  }
  assert.equal(refused(binding('a.b alpn=h2', 0)), 'content not_allowed');
});

test('CAA, NAPTR and URI are checked in all their parts', () => {
  assert.equal(written({ type: 'CAA', content: '0 ISSUE letsencrypt.org' }), '0 issue "letsencrypt.org"');
  assert.equal(written({ type: 'CAA', content: '0 issue ;' }), '0 issue ";"');
  assert.equal(refused({ type: 'CAA', content: '256 issue ";"' }), 'content out_of_range');
  assert.equal(refused({ type: 'CAA', content: '0 is-sue ";"' }), 'content invalid_format');
  assert.equal(refused({ type: 'CAA', content: '0 issue a b' }), 'content invalid_format');
  assert.equal(
    written({ type: 'NAPTR', content: '1 2 u E2U+sip "!^(.*)$!sip:\\\\1@x!" .' }),
    '1 2 "u" "E2U+sip" "!^(.*)$!sip:\\\\1@x!" .',
  );
  assert.equal(refused({ type: 'NAPTR', content: '1 2 u x "!a!b!" x.y.' }), 'content not_allowed');
  assert.equal(refused({ type: 'NAPTR', content: '1 2 "?" x "" .' }), 'content invalid_format');
  assert.equal(refused({ type: 'NAPTR', content: `1 2 u "${'x'.repeat(256)}" "" .` }), 'content too_long');
  const uri = (content: string) => ({ type: 'URI', content, priority: 1, weight: 1 });
  assert.equal(written(uri('https://a.b/?c=d;e')), '1 1 "https://a.b/?c=d;e"');
  assert.equal(refused(uri('""')), 'content invalid_format');
  assert.equal(refused(uri('no uri')), 'content invalid_format');
});

test('types that customers cannot have are refused with those that they can', () => {
  for (const type of ['SOA', 'LUA', 'SPF', 'RRSIG', '', '__proto__', 'constructor']) {
    const found = read({ type, content: 'x' });
    assert.deepEqual(
      [found.ok, !found.ok && found.problem.error, !found.ok && found.problem.allowed],
      [false, 'not_allowed', RECORD_TYPES],
    );
  }
  assert.equal(written({ type: 'a', content: '192.0.2.1' }), '192.0.2.1');
});

test('TTLs and comments are checked with the record', () => {
  const record = { type: 'A', content: '192.0.2.1' };
  assert.equal(refused({ ...record, ttl: 59 }), 'ttl out_of_range');
  assert.equal(refused({ ...record, ttl: 604_801 }), 'ttl out_of_range');
  assert.equal(refused({ ...record, comment: 'x'.repeat(256) }), 'comment too_long');
  assert.equal(refused({ ...record, comment: 'a\nb' }), 'comment invalid_format');
  const found = read({ ...record, comment: '  ' });
  assert.equal(found.ok && found.value.comment, null);
});
