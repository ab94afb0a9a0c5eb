import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownProtocolOf } from './own-protocol.ts';

test('suffixes of registries that speak something else are known, and those that only end alike are not theirs', () => {
  for (const tld of ['de', 'uk', 'co.uk', 'cz', 'com.pl', 'ru', 'xn--p1ai', 'com.ua'])
    assert.notEqual(ownProtocolOf(tld), null, tld);
  for (const tld of ['com', 'com.de', 'uk.com', 'se', 'eu', 'luk', 'com.ru'])
    assert.equal(ownProtocolOf(tld), null, tld);
});
