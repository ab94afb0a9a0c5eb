import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from 'otpauth';
import { newTotpSecret, totpStep, totpUrl } from './totp.ts';

const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000);

test('codes are those of RFC 6238, appendix B', () => {
  const secret = Secret.fromUTF8('12345678901234567890').base32;
  // The appendix prints eight digits; the last six are what six-digit apps show.
  const vectors: [number, string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) {
    assert.equal(totpStep(secret, code, at(seconds)), BigInt(Math.floor(seconds / 30)), code);
  }
});

test('a code is good in its own 30 seconds, the ones before and the ones after, and names its own step', () => {
  const secret = Secret.fromUTF8('12345678901234567890').base32;
  const step = 37_037_036n; // of 1111111080..1111111109
  const found = (seconds: number) => totpStep(secret, '081804', at(seconds));
  assert.deepEqual([1_111_111_050, 1_111_111_080, 1_111_111_139].map(found), [step, step, step]);
  assert.deepEqual([1_111_111_049, 1_111_111_140].map(found), [null, null]);
});

test('what is no code is none', () => {
  const secret = newTotpSecret();
  for (const code of ['', '12345', '1234567', '-12345', '１２３４５６']) {
    assert.equal(totpStep(secret, code, at(1_800_000_000)), null, code);
  }
});

test('a secret has 160 bits, and its URL is what apps read', () => {
  const secret = newTotpSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.notEqual(newTotpSecret(), secret);
  const url = new URL(totpUrl(secret, 'Muster & Söhne', 'ada@example.com'));
  assert.equal(url.protocol, 'otpauth:');
  assert.equal(decodeURIComponent(url.pathname), '/Muster & Söhne:ada@example.com');
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: 'Muster & Söhne',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
