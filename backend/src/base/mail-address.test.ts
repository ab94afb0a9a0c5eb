import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMailAddress, parseMailbox } from './mail-address.ts';

test('ordinary, tagged and internationalised addresses can be mailed', () => {
  for (const address of [
    'a@b',
    'first.last+tag@sub.example.com',
    'jürgen@münchen.example',
    "o'neil@x.example",
  ])
    assert.equal(isMailAddress(address), true, address);
});

test('nothing that could end a command, a header or the address itself passes as one', () => {
  for (const address of [
    '',
    'nobody',
    '@example.com',
    'a@',
    'a@b@c',
    'a b@example.com',
    'a@example.com,b@example.com',
    'a@example.com>',
    '<a@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    'a\n@example.com',
    'a@example.com\u0000',
    'a@example.com\u2028',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(253)}`,
  ])
    assert.equal(isMailAddress(address), false, JSON.stringify(address));
});

test('a mailbox is an address, with a name before it or not', () => {
  const address = 'noreply@hosting.example';
  assert.deepEqual(parseMailbox(address), { name: '', address });
  assert.deepEqual(parseMailbox(`<${address}>`), { name: '', address });
  assert.deepEqual(parseMailbox(`Müller & Söhne <${address}>`), { name: 'Müller & Söhne', address });
  assert.deepEqual(parseMailbox(`"Example, Inc." <${address}>`), { name: 'Example, Inc.', address });
});

test('two mailboxes, a broken one, and one with a line break are none', () => {
  for (const text of [
    'a@b.example, c@d.example',
    'A <a@b.example',
    'A <nobody>',
    'A\r\nBcc: x@y.example <a@b.example>',
    '',
  ])
    assert.equal(parseMailbox(text), null, JSON.stringify(text));
});
