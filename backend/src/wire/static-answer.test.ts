// Needs: database

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';
import { codingOf } from './static-answer.ts';

const { running } = await openHarness();
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${running.address}${path}`, { method, headers });

test('the coding is the smallest that the client takes', () => {
  const cases = [
    [undefined, 'identity'],
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
    ['identity, *;q=0', 'identity'],
    ['deflate', 'identity'],
  ] as const;
  for (const [accepted, coding] of cases) assert.equal(codingOf(accepted), coding, String(accepted));
});

test('documents are compressed, and not sent again to who has them', async () => {
  for (const path of ['/api/v2/openapi.json', '/docs', '/docs/errors']) {
    const plain = await ask(path, { 'accept-encoding': 'identity' });
    const text = await plain.text();
    assert.equal(plain.status, 200);
    assert.equal(plain.headers.get('content-encoding'), null);
    // fetch decodes by itself: what came is what was sent.
    for (const coding of ['br', 'gzip']) {
      const answer = await ask(path, { 'accept-encoding': coding });
      assert.equal(answer.headers.get('content-encoding'), coding);
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      assert.equal(await answer.text(), text);
      const tag = answer.headers.get('etag') ?? '';
      assert.notEqual(tag, plain.headers.get('etag'));
      const again = await ask(path, { 'accept-encoding': coding, 'if-none-match': `"other", W/${tag}` });
      assert.deepEqual([again.status, await again.text()], [304, '']);
    }
  }
});

test('HEAD answers as GET does, without the body', async () => {
  for (const path of ['/healthz', '/readyz', '/docs', '/api/v2/openapi.json', '/api/v2/server/prices']) {
    const headers = { 'accept-encoding': 'gzip' };
    const [get, head] = [await ask(path, headers), await ask(path, headers, 'HEAD')];
    assert.deepEqual([head.status, await head.text()], [get.status, ''], path);
    for (const name of ['content-type', 'etag', 'content-encoding', 'cache-control'])
      assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`);
    await get.body?.cancel();
  }
});

test('metrics are not for the public, but on a listener of their own', async () => {
  assert.equal((await ask('/metrics')).status, 404);
  const answer = await fetch(`${running.health}/metrics`);
  assert.match(await answer.text(), /^hostkeep_/m);
});
