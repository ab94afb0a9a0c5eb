// Needs: database

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';

const ORIGIN = 'https://panel.example';
const { running, customer } = await openHarness({ settings: { corsOrigins: [ORIGIN] } });
const ask = (path: string, method: string, headers: Record<string, string>) =>
  fetch(`${running.address}${path}`, { method, headers });

test('a page of a named origin may call with a token and read what a client needs', async () => {
  const preflight = await ask('/api/v2/server/order', 'OPTIONS', {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, idempotency-key, content-type',
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
  for (const name of ['Authorization', 'Idempotency-Key', 'Content-Type'])
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', new RegExp(name));

  const { token } = await customer();
  const answer = await ask('/api/v2/account/balance', 'GET', {
    origin: ORIGIN,
    authorization: `Bearer ${token}`,
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
  assert.equal(answer.headers.get('vary'), 'Origin');
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /RateLimit-Remaining/);
  const refused = await ask('/api/v2/account/balance', 'GET', { origin: ORIGIN });
  assert.equal(refused.headers.get('access-control-allow-origin'), ORIGIN, 'its error can be read, too');
});

test('no cookies, no other origin, and nothing beside the interface', async () => {
  const headers = { origin: 'https://panel.example.evil', 'access-control-request-method': 'POST' };
  const other = await ask('/api/v2/server/order', 'OPTIONS', headers);
  assert.equal(other.headers.get('access-control-allow-origin'), null);
  for (const path of ['/api/v2/account/balance', '/readyz']) {
    const answer = await ask(path, 'GET', { origin: ORIGIN });
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    if (path === '/readyz') assert.equal(answer.headers.get('access-control-allow-origin'), null);
  }
});
