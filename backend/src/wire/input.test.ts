import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { Refusal } from '../errors.ts';
import { errorAnswer } from './answer.ts';
import { checkInput, parseJsonBody } from './input.ts';

function refusalOf(text: string): Refusal {
  try {
    parseJsonBody(Buffer.from(text));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  assert.fail('it was taken');
}

test('a text that nothing can keep is pointed to, wherever it stands', () => {
  const pointers = {
    '"\\u0000"': '',
    '{"a/b":[1,{"c~":"x\\ud800"}]}': '/a~1b/1/c~0',
    '{"a":{"\\u0000":1}}': '/a/\\u0000',
    '[[],["","\\udc00"]]': '/1/1',
  };
  for (const [text, pointer] of Object.entries(pointers)) {
    const { code, detail } = refusalOf(text);
    assert.deepEqual(
      [code, detail.errors?.map((problem) => problem.pointer)],
      ['validation_failed', [pointer]],
      text,
    );
  }
});

test('what is nested deeper than 32 levels is malformed, whatever is in it', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  assert.ok(parseJsonBody(Buffer.from(nested(32))));
  for (const levels of [33, 100_000]) assert.equal(refusalOf(nested(levels)).code, 'malformed_request');
});

/** What an operation that takes little answers to a body. */
function answerTo(text: string): string | null {
  const input = z.strictObject({ name: z.string().max(10), list: z.array(z.strictObject({})).optional() });
  try {
    checkInput(input, parseJsonBody(Buffer.from(text)));
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return errorAnswer(error, { requestId: 'x', locale: 'de', publicUrl: 'https://x.example' }).body;
  }
}

const manyKeys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}":0`).join()}}`;

test('an answer to bad input stays below 64 kB, whatever came', () => {
  const long = fc.nat({ max: 100_000 }).map((length) => '\u0001"~/\\ü😀'.repeat(length / 10 + 1));
  const hostile = fc.oneof(
    fc.nat({ max: 60_000 }).map(manyKeys),
    long.map((key) => JSON.stringify({ [key]: key })),
    fc
      .array(long, { maxLength: 60 })
      .map((keys) => JSON.stringify(Object.fromEntries(keys.map((k, i) => [k + i, i])))),
    fc.nat({ max: 20_000 }).map((count) => `{"list":[${'{"a":1},'.repeat(count)}{}]}`),
    long.map((key) => `{"${'\\u0000'.repeat(1_000)}":${JSON.stringify(key)}}`),
    fc.json(),
    fc.string(),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      assert.ok(Buffer.byteLength(answerTo(text) ?? '') <= 64_000);
    }),
    { numRuns: 100 },
  );
  const { errors } = JSON.parse(answerTo(manyKeys(40_000)) ?? '');
  assert.equal(errors.length, 50);
});

test('a body of more values than any operation takes is refused before it is parsed', () => {
  const text = manyKeys(150_000);
  const broken = text.slice(0, -1);
  assert.throws(() => JSON.parse(broken), SyntaxError);
  assert.equal(refusalOf(text).code, 'malformed_request');
  assert.deepEqual(refusalOf(broken).detail, refusalOf(text).detail, 'its end is not looked at');
  assert.notDeepEqual(refusalOf('{').detail, refusalOf(text).detail);
});

test('brackets, commas and quotes within texts are no values', () => {
  const text = JSON.stringify({ a: '[{,'.repeat(40_000), 'b\\': '\\"[{', c: ['"', '\\\\'] });
  assert.deepEqual(parseJsonBody(Buffer.from(text)), JSON.parse(text));
  assert.equal(refusalOf(`"${'['.repeat(40)}`).code, 'malformed_request');
});
