// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';

const harness = await openHarness();
const NASTY = [
  '%00',
  '%ff',
  '%ED%A0%80',
  '..%2f..',
  '__proto__',
  'constructor',
  "'",
  '%0d%0aset-cookie:x=1',
  'x'.repeat(9000),
  '%F0%9F%92%A9',
  'sandbox',
  'bank',
  'stripe',
];

for (const base of ['/r/', '/download/', '/docs/', '/api/v2/webhooks/payment/', '/api/v2/', '/']) {
  test(`nothing below ${base} is a fault of ours`, async () => {
    for (const text of NASTY) {
      for (const method of ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'] as const) {
        for (const type of [undefined, 'application/json', 'text/xml', 'application/x-www-form-urlencoded']) {
          const answer = await harness.client.send({
            method: method as never,
            path: `${base}${text}`,
            headers: { accept: 'text/html', ...(type && { 'content-type': type }) },
            ...(method === 'POST' && { body: '{"a":1}' }),
          });
          assert.ok(answer.status < 500, `${method} ${base}${text.slice(0, 20)} ${type}: ${answer.status}`);
        }
      }
    }
    assert.deepEqual(harness.logged, []);
  });
}
