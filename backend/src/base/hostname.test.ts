import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isHostname } from './hostname.ts';

test('a fully qualified host name has at least two labels of letters, digits and inner hyphens', () => {
  const label = 'a'.repeat(63);
  for (const name of ['web.example.com', 'WEB1.Example.COM', '1.2.example', 'a-b.c--d.e', `${label}.com`]) {
    assert.equal(isHostname(name), true, name);
  }
  for (const name of [
    '',
    'web',
    '.example.com',
    'web.example.com.',
    'web..com',
    '-web.example.com',
    'web-.example.com',
    'we_b.example.com',
    'bücher.example.com',
    '198.18.0.1',
    'web.example.123',
    'web.example.com\n',
    'web .example.com',
    '$(reboot).example.com',
    `a${label}.com`,
    `${label}.${label}.${label}.${label}`,
  ]) {
    assert.equal(isHostname(name), false, JSON.stringify(name));
  }
});

test('nothing that a shell or a configuration file could take for more than a name is one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      if (isHostname(text)) assert.match(text, /^[A-Za-z0-9.-]+$/);
    }),
  );
});
