import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordInput } from '../../../test/records.ts';
import { readRecord } from './read-record.ts';
import type { DescribedRecord } from './record.ts';
import { readZoneFile } from './zone-file.ts';
import { writeZoneFile } from './zone-file-writer.ts';

const ZONE = 'example.com';
const AUTHORITY = {
  nameservers: ['ns1.example.net', 'ns2.example.net'],
  mailbox: 'hostmaster.example.net',
  serial: 7,
  refresh: 3_600,
  retry: 900,
  expire: 1_209_600,
  minimum: 300,
};

/** Name servers of the zone itself are never the customer's. */
const input = recordInput.filter(({ type, name }) => type !== 'NS' || name !== '@');
const record = input.map((asked): DescribedRecord & { ttl: number } => {
  const found = readRecord(asked, ZONE);
  assert.ok(found.ok);
  return { ...found.value, ttl: found.value.ttl ?? 60 };
});

test('what is written as a zone file is read as the same records, disabled ones and comments too', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      const file = writeZoneFile(ZONE, 3_600, AUTHORITY, records);
      const read = readZoneFile(file, ZONE);
      assert.deepEqual(read.problems, []);
      assert.deepEqual(
        read.records.map(({ line, ...rest }) => rest),
        records,
      );
      assert.deepEqual(
        read.skipped.map(({ type }) => type),
        ['SOA', 'NS', 'NS'],
      );
    }),
    { numRuns: 300 },
  );
});

test('a zone file is one that people can read', () => {
  const mail = readRecord({ name: '@', type: 'MX', content: 'mail', priority: 10, comment: 'ours' }, ZONE);
  const old = readRecord({ name: 'old', type: 'A', content: '192.0.2.1', disabled: true }, ZONE);
  assert.ok(mail.ok && old.ok);
  assert.equal(
    writeZoneFile(ZONE, 3_600, AUTHORITY, [
      { ...mail.value, ttl: 60 },
      { ...old.value, ttl: 60 },
    ]),
    [
      '$ORIGIN example.com.',
      '$TTL 3600',
      '@\tIN\tSOA\tns1.example.net. hostmaster.example.net. 7 3600 900 1209600 300',
      '@\tIN\tNS\tns1.example.net.',
      '@\tIN\tNS\tns2.example.net.',
      '@\t60\tIN\tMX\t10 mail.example.com. ; ours',
      '; disabled: old\t60\tIN\tA\t192.0.2.1',
      '',
    ].join('\n'),
  );
});

test('no text makes reading a zone file throw', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '(',
      ')',
      '"',
      ';',
      '\n',
      '\r\n',
      '\\',
      '$TTL ',
      '$ORIGIN ',
      ' IN ',
      ' A ',
      ' TXT ',
      '; disabled: ',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      readZoneFile(pieces.join(''), ZONE);
    }),
    { numRuns: 1_000 },
  );
});
