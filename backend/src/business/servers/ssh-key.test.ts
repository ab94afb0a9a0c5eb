import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSshPublicKey } from './ssh-key.ts';

function field(content: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(content));
  return Buffer.concat([length, Buffer.from(content)]);
}

function line(type: string, ...fields: (string | Buffer)[]): string {
  return `${type} ${Buffer.concat([field(type), ...fields.map(field)]).toString('base64')}`;
}

/** What ssh-keygen would print, from keys that are real. */
function rsa(modulusLength: number): string {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({
    format: 'jwk',
  });
  const [exponent, modulus] = [e, n].map((part) => Buffer.from(part, 'base64url'));
  return line('ssh-rsa', exponent ?? '', Buffer.concat([Buffer.alloc(1), modulus ?? Buffer.alloc(0)]));
}
const ed25519 = line('ssh-ed25519', Buffer.alloc(32, 7));

test('a public key of each type that OpenSSH makes is one, with and without a comment', () => {
  // Printed by ssh-keygen.
  const printed = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
  for (const key of [
    printed,
    `${printed} octocat@example.com`,
    `${ed25519} Zoë’s laptop (2027)`,
    rsa(2048),
    rsa(4096),
    line('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 4)),
    line('ecdsa-sha2-nistp384', 'nistp384', Buffer.alloc(97, 4)),
    line('ecdsa-sha2-nistp521', 'nistp521', Buffer.alloc(133, 4)),
    line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32), 'ssh:'),
    line('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', Buffer.alloc(65, 4), 'ssh:'),
  ]) {
    assert.equal(isSshPublicKey(key), true, key);
  }
});

test('what is cut off, padded, of another type, weak, or more than one line, is none', () => {
  const blob = ed25519.split(' ')[1] ?? '';
  for (const key of [
    '',
    'ssh-ed25519',
    `ssh-ed25519 ${blob.slice(0, -4)}`,
    `ssh-ed25519 ${blob}AAAA`,
    `ssh-rsa ${blob}`,
    `ssh-ed25519  ${blob}`,
    ` ${ed25519}`,
    `${ed25519}\n`,
    `${ed25519} me\n${ed25519}`,
    `${ed25519} me\u2028you`,
    `${ed25519} ${'x'.repeat(257)}`,
    `command="reboot" ${ed25519}`,
    `ssh-ed25519 ${blob.replace('A', '-')}`,
    line('ssh-ed25519', Buffer.alloc(31)),
    line('ssh-dss', Buffer.alloc(128)),
    line('ssh-ed25519', Buffer.alloc(32), 'more'),
    line('constructor', Buffer.alloc(32)),
    rsa(1024),
  ]) {
    assert.equal(isSshPublicKey(key), false, key);
  }
});

test('no text whatever makes more than one line of authorized_keys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (comment) => {
      const key = `${ed25519} ${comment}`;
      if (isSshPublicKey(key)) assert.equal(/[\r\n\p{C}]/u.test(key), false);
    }),
  );
});
