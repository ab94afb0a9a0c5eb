import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { z } from 'zod';
import { openHarness } from '../../test/harness.ts';
import { operations } from '../operations.generated.ts';

const { client } = await openHarness();

const page = async (path: string, language = 'en') => {
  const { status, headers, text } = await client.send({
    method: 'GET',
    path,
    headers: { 'accept-language': language },
  });
  assert.equal(status, 200, text);
  return { text, headers };
};

for (const path of [
  '/verify-email',
  '/reset-password',
  '/accept-invitation',
  '/verify-contact',
  '/confirm-owner-change',
]) {
  test(`${path} asks for what its operation needs, and for nothing that it does not know`, async () => {
    const { text } = await page(path);
    const called = /action="\/api\/v2\/([^"]+)"/.exec(text)?.[1];
    const operation = operations.find((one) => one.path === called);
    assert.ok(operation, `${called} is an operation`);
    const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
    const known = Object.keys(schema.properties ?? {});
    const asked = [...text.matchAll(/<input name="([^"]+)"/g)].map(([, name = '']) => name);
    const required = (schema.required ?? []).filter((name) => name !== 'token');
    assert.deepEqual(
      asked.filter((name) => !known.includes(name)),
      [],
    );
    assert.deepEqual(
      required.filter((name) => !asked.includes(name)),
      [],
    );
    assert.ok(known.includes('token'));
  });

  test(`${path} runs its own script and no other, and is in no frame, cache or referer`, async () => {
    const { text, headers } = await page(path);
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = String(headers['content-security-policy']);
    assert.ok(policy.includes(`script-src 'sha256-${hash}'`));
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  });
}

test('the pages speak the language of their reader', async () => {
  assert.match((await page('/accept-invitation', 'de-AT')).text, /<html lang="de">.*Einladung annehmen/s);
});
