import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from './signature.ts';

/** The verifier exactly as the guide prints it. */
const guide = readFileSync(new URL('../../../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
const code = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
const { verifiedEvent } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
  verifiedEvent(body: string, headers: object, secret: string, now?: number): { type: string };
};

const NOW = Temporal.Now.instant();
const secret = newWebhookSecret();
const message = {
  id: '3b1f0c56-6d0e-4c55-9d0e-0a3a2f0e5b11',
  body: '{"type":"order.paid","data":{"name":"Zoë"}}',
};
const headers = signatureHeaders(secret, message, NOW);

test('the signature is one as Standard Webhooks has them, by its own library', () => {
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(new Webhook(secret).verify(message.body, headers), JSON.parse(message.body));
  const other = new Webhook(newWebhookSecret());
  assert.throws(() => other.verify(message.body, headers), /No matching signature/);
  assert.equal(
    new Webhook(secret).sign(message.id, new Date(NOW.epochMilliseconds), message.body),
    headers['webhook-signature'],
  );
});

test("the guide's verifier has at most 15 lines and takes what is ours, also beside a signature of another version", () => {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  assert.ok(lines.length <= 15, `${lines.length} lines`);
  assert.equal(verifiedEvent(message.body, headers, secret).type, 'order.paid');
  const signatures = `v1a,AAAA ${headers['webhook-signature']}`;
  assert.ok(verifiedEvent(message.body, { ...headers, 'webhook-signature': signatures }, secret));
});

test("the guide's verifier refuses what was changed, is old, from the future, or without a signature", () => {
  const refused = (body: string, changed: object, key = secret) =>
    assert.throws(() => verifiedEvent(body, { ...headers, ...changed }, key), /not from whom/);
  refused(message.body.replace('paid', 'failed'), {});
  refused(message.body, { 'webhook-id': 'another' });
  refused(message.body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) });
  refused(message.body, {}, newWebhookSecret());
  refused(message.body, { 'webhook-signature': undefined });
  refused(message.body, { 'webhook-signature': 'v1,' });
  for (const hours of [-1, 1]) refused(message.body, signatureHeaders(secret, message, NOW.add({ hours })));
  refused(message.body, { 'webhook-timestamp': 'soon' });
});
