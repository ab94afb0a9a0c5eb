import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSmtpUrl } from './smtp-url.ts';

const login = { user: 'me@hosting.example', password: 'p@ss/word' };
const WITH_LOGIN = 'me%40hosting.example:p%40ss%2Fword@';

test('smtps is encrypted from the first byte, on port 465 unless another is given', () => {
  assert.deepEqual(parseSmtpUrl(`smtps://${WITH_LOGIN}mail.example`), {
    host: 'mail.example',
    port: 465,
    encryption: 'tls',
    login,
  });
  assert.equal(parseSmtpUrl('smtps://mail.example:1465')?.port, 1465);
});

test('smtp needs STARTTLS, unless the server is this machine or ?tls=none says otherwise', () => {
  const encryption = (url: string) => parseSmtpUrl(url)?.encryption;
  assert.equal(encryption(`smtp://${WITH_LOGIN}mail.example`), 'starttls');
  assert.equal(parseSmtpUrl('smtp://mail.example')?.port, 587);
  assert.equal(encryption('smtp://mail.example:25?tls=none'), 'none');
  for (const local of ['localhost', '127.0.0.1', '[::1]']) {
    assert.equal(encryption(`smtp://${local}:25`), 'none');
    assert.equal(encryption(`smtp://${local}:25?tls=required`), 'starttls');
  }
  assert.equal(parseSmtpUrl('smtp://[::1]:25')?.host, '::1');
});

test('a password never travels unencrypted to another machine', () => {
  assert.equal(parseSmtpUrl(`smtp://${WITH_LOGIN}mail.example?tls=none`), null);
  assert.deepEqual(parseSmtpUrl(`smtp://${WITH_LOGIN}localhost`)?.login, login);
});

test('what is not understood is refused rather than ignored', () => {
  for (const url of [
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://mail.example/path',
    'smtp://mail.example?tls=maybe',
    'smtps://mail.example?tls=none',
    'smtp://us%zzer:x@mail.example',
  ])
    assert.equal(parseSmtpUrl(url), null, url);
});
