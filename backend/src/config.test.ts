import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, parseCommandLine } from './config.ts';

test('a mail server needs a sender, and both are read', () => {
  const env = { HOSTKEEP_SMTP_URL: 'smtps://me:secret@mail.example' };
  assert.throws(() => parseCommandLine([], env), /HOSTKEEP_SMTP_URL needs HOSTKEEP_MAIL_FROM/);
  const { config } = parseCommandLine([], {
    ...env,
    HOSTKEEP_MAIL_FROM: 'Hosting <noreply@hosting.example>',
  });
  assert.deepEqual(config.mailFrom, { name: 'Hosting', address: 'noreply@hosting.example' });
  assert.deepEqual(config.smtp?.login, { user: 'me', password: 'secret' });
  assert.equal(parseCommandLine([], {}).config.smtp, undefined);
});

test('an address with a password in it is not repeated when it cannot be used', () => {
  const env = {
    HOSTKEEP_SMTP_URL: 'smtp://me:secret@mail.example?tls=none',
    HOSTKEEP_MAIL_FROM: 'a@b.example',
  };
  assert.throws(
    () => parseCommandLine([], env),
    (error: unknown) =>
      error instanceof ConfigError && /takes smtps/.test(error.message) && !/secret/.test(error.message),
  );
});

test('a bucket needs its key, and neither part of it is repeated', () => {
  const env = { HOSTKEEP_S3_URL: 'https://s3.example/files', HOSTKEEP_S3_ACCESS_KEY: 'id' };
  assert.throws(() => parseCommandLine([], env), /HOSTKEEP_S3_SECRET_KEY need each other/);
  const { config } = parseCommandLine([], { ...env, HOSTKEEP_S3_SECRET_KEY: 'secret' });
  assert.deepEqual([config.s3Url, config.s3Region], ['https://s3.example/files', 'us-east-1']);
});

test('mail for tickets comes in at a port of this machine, or at an address', () => {
  const { config } = parseCommandLine([], { HOSTKEEP_INBOX_LMTP: '2424', HOSTKEEP_INBOX_HOPS: '1' });
  assert.deepEqual([config.inboxLmtp, config.inboxHops], [{ host: '127.0.0.1', port: 2424 }, 1]);
  assert.throws(() => parseCommandLine([], { HOSTKEEP_INBOX_LMTP: 'mail' }), ConfigError);
});

test('the operator says which requests are logged, and where health is asked for', () => {
  const read = (access: string, health: string) => {
    const { config } = parseCommandLine([], { HOSTKEEP_ACCESS_LOG: access, HOSTKEEP_HEALTH_LISTEN: health });
    return [config.accessLog, config.healthListen];
  };
  assert.deepEqual(read('', ''), [{ errors: true, share: 1 }, undefined]);
  assert.deepEqual(read('1/100', '[::]:9100'), [
    { errors: true, share: 0.01 },
    { host: '::', port: 9100 },
  ]);
  assert.deepEqual(read('off', 'off'), [{ errors: false, share: 0 }, 'off']);
  assert.throws(() => read('1/0', ''), /HOSTKEEP_ACCESS_LOG takes all, errors, off/);
  assert.throws(() => read('', 'somewhere'), /HOSTKEEP_HEALTH_LISTEN takes a port/);
});
