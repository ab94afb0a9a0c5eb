import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAnswer } from './message.ts';

const octets = (hexadecimal: string) => Buffer.from(hexadecimal.replaceAll(' ', ''), 'hex');
/** A response with authority to a question for the MX of `a.test`, and an answer section. */
const answer = (count: number, records: string) =>
  octets(
    `0001 8400 0001 ${count.toString(16).padStart(4, '0')} 0000 0000 0161 0474657374 00 000f 0001 ${records}`,
  );

test('names are read wherever they point to, in owners and in RDATA, and come out in lower case', () => {
  const mx = 'c00c 000f 0001 0000012c 0009 000a 044d41494c c00c';
  const txt = 'c026 0010 0001 ffffffff 0003 026869';
  const { authoritative, rcode, records } = readAnswer(answer(2, `${mx} ${txt}`));
  assert.deepEqual([authoritative, rcode], [true, 0]);
  assert.deepEqual(records, [
    { owner: 'a.test', type: 'MX', ttl: 300, rdata: '10 mail.a.test.' },
    { owner: 'mail.a.test', type: 'TXT', ttl: 0, rdata: '"hi"' },
  ]);
});

test('RDATA that is not of its type is said to be unreadable; a type that nobody knows is opaque', () => {
  const a = 'c00c 0001 0001 0000012c 0003 c00002';
  const unknown = 'c00c ff78 0001 0000012c 0002 abcd';
  const { records } = readAnswer(answer(2, `${a} ${unknown}`));
  assert.deepEqual(
    records.map(({ type, rdata }) => [type, rdata]),
    [
      ['A', null],
      ['TYPE65400', '\\# 2 abcd'],
    ],
  );
});

test('pointers that lead in a circle, forwards or out of the message are refused', () => {
  for (const owner of ['c018', 'c040', 'c3ff', '0161 c018', '80'])
    assert.throws(() => readAnswer(answer(1, `${owner} 0001 0001 0000012c 0004 c0000201`)), RangeError);
});

test('whatever comes is read in time that grows with its size, or refused', () => {
  const bytes = fc.uint8Array({ maxLength: 600 });
  const nearly = fc.tuple(fc.nat({ max: 4 }), fc.uint8Array({ maxLength: 200 })).map(([count, rest]) => {
    return Buffer.concat([answer(count, ''), rest]);
  });
  fc.assert(
    fc.property(
      fc.oneof(
        bytes.map((given) => Buffer.from(given)),
        nearly,
      ),
      (message) => {
        try {
          readAnswer(message);
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
