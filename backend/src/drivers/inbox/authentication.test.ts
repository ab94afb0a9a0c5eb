import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticatedDomain } from './authentication.ts';
import { headerLines } from './header.ts';

const trust = { authserv: 'mx.hosting.example', hops: 0 };
const domain = (header: string, change: Partial<typeof trust> = {}) =>
  authenticatedDomain(headerLines(Buffer.from(`${header}\r\nFrom: a@b.example\r\n\r\nText`)), {
    ...trust,
    ...change,
  });
const RECEIVED =
  'Received: from out.b.example by mx.hosting.example;\r\n\tSat, 21 Nov 2026 10:00:00 +0000\r\n';
const PASSED =
  'Authentication-Results: mx.hosting.example;\r\n dkim=pass header.d=b.example;\r\n dmarc=pass (p=none dis=none) header.from=B.example\r\n';

test('what our own server reports above its Received line counts', () => {
  assert.equal(domain(PASSED + RECEIVED), 'b.example');
  assert.equal(
    domain(`Authentication-Results: MX.hosting.example 1; dmarc=pass header.from=b.example\r\n${RECEIVED}`),
    'b.example',
  );
});

test('the same below a Received line came with the mail, and is nobody’s word', () => {
  assert.equal(domain(RECEIVED + PASSED), null);
  assert.equal(domain(RECEIVED + PASSED, { hops: 1 }), 'b.example');
  assert.equal(domain(`${RECEIVED}${RECEIVED}${PASSED}`, { hops: 1 }), null);
});

test('the topmost result decides: one that failed is not mended by one below', () => {
  const failed = 'Authentication-Results: mx.hosting.example; dmarc=fail header.from=b.example\r\n';
  assert.equal(domain(failed + PASSED + RECEIVED), null);
});

test('results that another server wrote, without DMARC, or not passed, say nothing', () => {
  for (const results of [
    'mx.other.example; dmarc=pass header.from=b.example',
    'mx.hosting.example; dkim=pass header.d=b.example; spf=pass',
    'mx.hosting.example; none',
    'mx.hosting.example; dmarc=none header.from=b.example',
    'mx.hosting.example; dmarc=passable header.from=b.example',
    'mx.hosting.example; dmarc=pass',
    'mx.hosting.example; dkim=fail reason="x; dmarc=pass header.from=b.example"',
    'mx.hosting.example; spf=fail (see; dmarc=pass header.from=b.example) smtp.mailfrom=x',
    'evil.example (; ) ; mx.hosting.example; dmarc=pass header.from=b.example',
  ])
    assert.equal(domain(`Authentication-Results: ${results}\r\n${RECEIVED}`), null, results);
});

test('without a name to trust nobody is believed', () => {
  assert.equal(authenticatedDomain(headerLines(Buffer.from(PASSED)), { authserv: null, hops: 0 }), null);
});

test('results of two programs of our server are read together', () => {
  const dkim = 'Authentication-Results: mx.hosting.example; dkim=pass header.d=b.example\r\n';
  assert.equal(domain(dkim + PASSED + RECEIVED), 'b.example');
});
