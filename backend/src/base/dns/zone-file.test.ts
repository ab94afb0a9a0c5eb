import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readZoneFile } from './zone-file.ts';

const ZONE = 'example.com';

const read = (...lines: string[]) => readZoneFile(lines.join('\n'), ZONE);
const summary = (...lines: string[]) => {
  const { records, problems } = read(...lines);
  assert.deepEqual(problems, []);
  return records.map(({ name, ttl, type, priority, content }) =>
    [name, ttl, type, priority, content].filter((part) => part !== null).join(' '),
  );
};
const problems = (...lines: string[]) =>
  read(...lines).problems.map(({ line, problem }) => `${line} ${problem.field} ${problem.error}`);

test('a zone file as people write it is read: origin, TTLs, parentheses, comments, owners left out', () => {
  assert.deepEqual(
    summary(
      '$TTL 1h',
      '@ IN SOA ns1.example.com. host.example.com. (',
      '  2026010101 ; serial',
      '  1d 2h 4w 1h )',
      '  IN NS ns1 ; ours',
      '@ MX 10 mail',
      '  1h30m IN MX 20 mail.example.net.',
      'mail IN 600 A 192.0.2.1',
      '     AAAA 2001:DB8:0::1',
      '$ORIGIN sub',
      'www CNAME @',
      'a.b TXT ( "one"',
      '  two )',
    ),
    [
      '@ 3600 MX 10 mail.example.com.',
      '@ 5400 MX 20 mail.example.net.',
      'mail 600 A 192.0.2.1',
      'mail 3600 AAAA 2001:db8::1',
      'www.sub 3600 CNAME sub.example.com.',
      'a.b.sub 3600 TXT "one" "two"',
    ],
  );
});

test('without $TTL a record has the last TTL that was given, or the minimum of the SOA (RFC 2308)', () => {
  assert.deepEqual(
    summary('@ SOA a. b. 1 2 3 4 900', 'a A 192.0.2.1', 'b 120 A 192.0.2.1', 'c A 192.0.2.1'),
    ['a 900 A 192.0.2.1', 'b 120 A 192.0.2.1', 'c 120 A 192.0.2.1'],
  );
  assert.equal(read('a A 192.0.2.1').records[0]?.ttl, null);
});

test('what the system decides is skipped: SOA, name servers of the zone, signatures', () => {
  const { skipped, problems: found } = read(
    '@ IN SOA a. b. 1 2 3 4 5',
    '@ IN NS ns1.example.net.',
    'www 3600 IN RRSIG A 13 3 3600 20260101000000 20250101000000 1 example.com. AAAA',
    '@ 0 IN NSEC3PARAM 1 0 0 -',
  );
  assert.deepEqual(found, []);
  assert.deepEqual(
    skipped.map(({ line, type }) => `${line} ${type}`),
    ['1 SOA', '2 NS', '3 RRSIG', '4 NSEC3PARAM'],
  );
});

test('CRLF, a byte order mark and a last line without an end are read', () => {
  assert.deepEqual(summary('\ufeffa 60 A 192.0.2.1\r', 'b 60 A 192.0.2.2\r'), [
    'a 60 A 192.0.2.1',
    'b 60 A 192.0.2.2',
  ]);
});

test('$INCLUDE and $GENERATE are refused, however much they would make', () => {
  assert.deepEqual(
    problems(
      '$INCLUDE /etc/passwd',
      '$GENERATE 1-999999999999 host$ A 192.0.2.$',
      '$generate 1-2 a A 192.0.2.1',
    ),
    ['1 content not_allowed', '2 content not_allowed', '3 content not_allowed'],
  );
});

test('each broken entry is named by its line, and the others are still read', () => {
  const broken = [
    ['a 60 A 192.0.2.256', 'content invalid_format'],
    ['a 60 TXT "open', 'content invalid_format'],
    ['a 60 CH A 192.0.2.1', 'type not_allowed'],
    ['a 5 A 192.0.2.1', 'ttl out_of_range'],
    ['a 60 LUA A "os.exit()"', 'type not_allowed'],
    ['a.example.net. 60 A 192.0.2.1', 'name not_allowed'],
    [`${'a'.repeat(64)} 60 A 192.0.2.1`, 'name too_long'],
    [`${'a.'.repeat(300)} 60 A 192.0.2.1`, 'name too_long'],
    ['a 60 MX 65536 mail', 'priority out_of_range'],
    ['a 60 MX mail', 'priority invalid_format'],
    ['a 60 A 192.0.2.1 )', 'content invalid_format'],
    ['a 60 TXT "\ud800"', 'content invalid_format'],
    ['a 60 TXT "\ufffd"', 'content invalid_format'],
    ['a 60 A', 'content required'],
    ['a 60', 'type required'],
    ['xn--a 60 A 192.0.2.1', 'name invalid_format'],
    ['a 60 SOA a. b. 1 2 3 4 5', 'type not_allowed'],
    ['$TTL soon', 'ttl invalid_format'],
    ['$ORIGIN a..b', 'content invalid_format'],
  ] as const;
  const { records, problems: found } = read(
    'first 60 A 192.0.2.1',
    ...broken.map(([line]) => line),
    'last 60 A 192.0.2.1',
  );
  assert.deepEqual(
    found.map(({ line, problem }) => `${line} ${problem.field} ${problem.error}`),
    broken.map(([, problem], at) => `${at + 2} ${problem}`),
  );
  assert.deepEqual(
    records.map(({ name }) => name),
    ['first', 'last'],
  );
});

test('a parenthesis that is never closed is named where it opens', () => {
  assert.deepEqual(problems('a 60 A 192.0.2.1', 'b 60 TXT ( "x"', 'c 60 A 192.0.2.1'), [
    '2 content invalid_format',
  ]);
});

test('reading stops after a hundred problems', () => {
  assert.equal(readZoneFile('x\n'.repeat(100_000), ZONE).problems.length, 100);
});

test('a file without a name for its first record is refused', () => {
  assert.deepEqual(problems('  60 A 192.0.2.1'), ['1 name required']);
});

test('files that are too large or have too many records are refused as a whole', () => {
  assert.deepEqual(problems(`; ${'x'.repeat(512 * 1024)}`), ['0 content too_long']);
  assert.deepEqual(problems(...new Array<string>(10_001).fill('a A 192.0.2.1')), ['0 content too_long']);
});
