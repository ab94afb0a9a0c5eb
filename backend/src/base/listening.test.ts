import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseListening } from './listening.ts';

test('a port alone is on this machine only', () => {
  assert.deepEqual(parseListening('2424'), { host: '127.0.0.1', port: 2424 });
});

test('an address of either family stands before the port', () => {
  assert.deepEqual(parseListening('192.0.2.1:24'), { host: '192.0.2.1', port: 24 });
  assert.deepEqual(parseListening('[2001:db8::1]:24'), { host: '2001:db8::1', port: 24 });
});

test('what is neither is not understood', () => {
  for (const text of ['', 'mail', '2001:db8::1:24', '[192.0.2.1]:24', '127.0.0.1', '1:70000', 'host:24'])
    assert.equal(parseListening(text), null, text);
});
