import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks until an answer is given that is not undefined, and fails after the limit with the last reason.
 * A black box has no other way to learn that work behind it is done.
 */
export async function eventually<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let wait = 10; ; wait = Math.min(wait * 1.5, 250)) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > deadline) assert.fail(`${what}: not within ${limitMs} ms`);
    await pause(wait);
  }
}
