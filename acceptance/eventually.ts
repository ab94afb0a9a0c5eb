import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** No machine is too slow for it. */
const PATIENCE_MS = 240_000;

/**
 * Asks until an answer is given that is not undefined. A black box has no other way to learn that work behind it is
 * done.
 */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let wait = 10; ; wait = Math.min(wait * 1.5, 250)) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > deadline) assert.fail(`${what}: not within ${PATIENCE_MS} ms`);
    await pause(wait);
  }
}
