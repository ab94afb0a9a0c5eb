import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { refusal, timeless } from './envelope.ts';

/** A request about something that has a UUID, which is sent beside the other parameters. */
export type ForeignRequest = readonly [
  method: string,
  path: string,
  uuid: string,
  more: Record<string, unknown>,
];

/** Every request is refused for the UUID as for one that nothing has. */
export async function assertForeign(stranger: Api, requests: readonly ForeignRequest[]): Promise<void> {
  for (const [method, path, uuid, more] of requests) {
    const theirs = await stranger.call(method, path, { json: { ...more, uuid } });
    const nobodys = await stranger.call(method, path, { json: { ...more, uuid: randomUUID() } });
    refusal(theirs, 404, 'not_found');
    refusal(nobodys, 404, 'not_found');
    assert.deepEqual(timeless(theirs.body), timeless(nobodys.body), path);
  }
}
