import assert from 'node:assert/strict';
import type { Target } from './fill.ts';

const SAMPLE = 20;

/** The baseline must send the very bytes that Hostkeep sends: compares the bodies of some requests. */
export async function sameAnswers(
  operation: string,
  targets: readonly Target[],
  ports: readonly [number, number],
): Promise<void> {
  for (const target of targets.slice(0, SAMPLE)) {
    const [ours, theirs] = await Promise.all(
      ports.map(async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/v2/${operation}?uuid=${target.uuid}`, {
          headers: { authorization: `Bearer ${target.token}` },
        });
        return { status: response.status, body: await response.text() };
      }),
    );
    assert.equal(ours?.status, 200);
    assert.deepEqual(theirs, ours);
  }
}
