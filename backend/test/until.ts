import assert from 'node:assert/strict';

const PATIENCE_MS = 300_000;
const LOOK_MS = 200;

/** Looks until there is something, against a limit that no machine is too slow for; fails with what is there instead. */
export async function until<T>(look: () => Promise<T | null>, otherwise: () => Promise<string>): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  assert.fail(await otherwise());
}
