import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '../src/errors.ts';

/** Fails for an error whose text fills in what its body does not have: people would read “allows at most  .”. */
export function assertWorded(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('error' in body)) return;
  const told = body as Readonly<Record<string, unknown>> & { readonly error: ErrorCode };
  const text = ERRORS[told.error];
  for (const words of [text.en, text.de]) {
    for (const [, member = ''] of words.matchAll(/\{(\w+)(?::money)?\}/g))
      assert.ok(
        told[member] !== undefined,
        `${told.error} says {${member}}, which it does not have: ${told.response}`,
      );
  }
}
