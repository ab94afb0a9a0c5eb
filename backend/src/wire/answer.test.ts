import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../errors.ts';
import { errorAnswer } from './answer.ts';

const context = { requestId: 'r', locale: 'de', publicUrl: 'https://hosting.example' } as const;

test('whatever an operation refuses with, the answer has at most 64 kB, and says how many problems it leaves off', () => {
  const problem = fc.record({
    pointer: fc.string({ maxLength: 512 }),
    error: fc.constant('not_allowed' as const),
    message: fc.string({ maxLength: 300 }),
    allowed: fc.array(fc.string({ maxLength: 40 }), { maxLength: 30 }),
  });
  const value = fc.oneof(
    fc.string({ maxLength: 200_000, size: 'max' }),
    fc.array(fc.string({ maxLength: 200 }), { maxLength: 3_000, size: 'max' }),
    fc.object({ maxKeys: 20 }),
    fc.integer(),
  );
  fc.assert(
    fc.property(
      fc.array(problem, { maxLength: 400, size: 'max' }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), value, { maxKeys: 4 }),
      (errors, members) => {
        const refusal = new Refusal('validation_failed', { errors, members: { fields: ['/x'], ...members } });
        const { body } = errorAnswer(refusal, context);
        assert.ok(Buffer.byteLength(body) <= 64_000, `${Buffer.byteLength(body)} bytes`);
        const read = JSON.parse(body);
        assert.equal(read.errors.length + (read.errors_left_off ?? 0), errors.length);
      },
    ),
    { numRuns: 40 },
  );
});
