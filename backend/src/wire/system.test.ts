// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';
import { CONTRACT } from '../contract.ts';
import { operations } from '../operations.generated.ts';
import { openApiDocument } from './openapi.ts';

const { client, metrics } = await openHarness();
const get = (path: string) => client.send({ method: 'GET', path });

test('it says that it lives, and that it is ready', async () => {
  assert.deepEqual([(await get('/healthz')).status, (await get('/healthz')).text], [200, 'ok\n']);
  assert.deepEqual([(await get('/readyz')).status, (await get('/readyz')).text], [200, 'ready\n']);
});

test('metrics count requests by operation and status', async () => {
  await get('/api/v2/panel/packages');
  assert.match(
    await metrics(),
    /hostkeep_request_seconds_count\{operation="panel\/packages",status="200"\} 1\n/,
  );
});

test('the OpenAPI document is the one of its operations', async () => {
  const { status, headers, text } = await get('/api/v2/openapi.json');
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^application\/json/);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(openApiDocument(operations, CONTRACT))));
});

test('the reference is served with a policy that lets it load and run nothing', async () => {
  for (const path of ['/docs', '/docs/', '/docs/errors?x', '/docs/panel/order']) {
    const { status, headers, text } = await get(path);
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
    assert.match(
      headers['content-security-policy']?.toString() ?? '',
      /^default-src 'none'; style-src 'unsafe-inline';/,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(text, /^<!doctype html>/);
  }
});

test('the examples of the reference call the address that it is served from', async () => {
  const { status, text } = await get('/docs/panel/packages');
  assert.equal(status, 200);
  const command = /<code>curl &#39;(.*?)&#39;<\/code>/.exec(text)?.[1] ?? '';
  const { origin, pathname } = new URL(command);
  assert.equal(pathname, '/api/v2/panel/packages');
  assert.equal((await fetch(`${origin}${pathname}`)).status, 200);
});

test('what has no page is answered like anything that is not there', async () => {
  for (const path of ['/docs/nothing', '/docs/panel', '/docs/%', '/docs/../x', '/docsx']) {
    const { status, text } = await get(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.ok(['operation_not_found', 'malformed_request'].includes(JSON.parse(text).error), path);
  }
});
