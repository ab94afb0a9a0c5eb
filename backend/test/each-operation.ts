import assert from 'node:assert/strict';
import type { Operation } from '../src/operation.ts';

/** What is wrong with each operation, all at once: a change of the wire breaks many in one way. */
export async function each(
  chosen: readonly Operation[],
  check: (operation: Operation) => Promise<void> | void,
) {
  assert.ok(chosen.length > 0, 'this concerns no operation');
  const wrong: string[] = [];
  for (const operation of chosen) {
    await Promise.resolve(operation)
      .then(check)
      .catch((error: Error) =>
        wrong.push(`${operation.path}: ${error.message.replace(/\s+/g, ' ').slice(0, 300)}`),
      );
  }
  assert.deepEqual(wrong, []);
}
