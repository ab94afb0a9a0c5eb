import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSpecialUseName } from './special-use-name.ts';

test('names for one network only are special, whatever stands before them', () => {
  const special = [
    'localhost',
    'db',
    'ai',
    'printer.local',
    'api.corp',
    'x.y.internal',
    'router.home.arpa',
  ].concat([
    'vault.service.arpa',
    'a.test',
    'a.invalid',
    'abcdef.onion',
    'ipv4only.arpa',
    'host.localdomain',
  ]);
  for (const name of special) assert.equal(isSpecialUseName(name), true, name);
});

test('names of the public DNS are not', () => {
  const open = ['example.com', 'www.example', 'local.example.com', 'test.de', 'home.arpa.example.org'];
  for (const name of open) assert.equal(isSpecialUseName(name), false, name);
});
