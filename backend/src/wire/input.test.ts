import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../errors.ts';
import { parseJsonBody } from './input.ts';

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
