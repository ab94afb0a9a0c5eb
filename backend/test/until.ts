import assert from 'node:assert/strict';

const PATIENCE_MS = 240_000;

/**
 * Looks until there is something, against a limit that no machine is too slow for (a count of looks is no such
 * limit); fails with what is there instead.
 */
export async function until<T>(
  look: () => Promise<T | null | undefined>,
  otherwise: () => Promise<string> | string,
  lookMs = 200,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  for (const end = performance.now() + patienceMs; performance.now() < end; ) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  assert.fail(await otherwise());
}
