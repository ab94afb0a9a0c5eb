import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Sealer } from '../../../base/seal.ts';
import { isForged, openReplyAddress, replyAddress } from './reply-address.ts';

const BASE = 'tickets@hosting.example';
const keys = new Map([['one', randomBytes(32)]]);
const sealer = new Sealer('one', keys);

test('property: an address stands for the ticket and the person that it was made for, in whatever case it comes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 48n - 1n }), fc.uuid(), (number, userId) => {
      const address = replyAddress(sealer, BASE, { number, userId });
      assert.ok(address.indexOf('@') <= 64, address);
      assert.deepEqual(openReplyAddress(sealer, BASE, address), { number, userId });
      assert.deepEqual(openReplyAddress(sealer, BASE, address.toUpperCase()), { number, userId });
    }),
  );
});

test('property: no letter of it can be changed', () => {
  const address = replyAddress(sealer, BASE, { number: 7n, userId: randomUUID() });
  const [from, to] = [BASE.indexOf('@') + 1, address.indexOf('@')];
  for (let at = from; at < to; at += 1)
    for (const letter of 'abcdefghijklmnopqrstuvwxyz234567') {
      if (address[at] === letter) continue;
      const changed = address.slice(0, at) + letter + address.slice(at + 1);
      assert.equal(openReplyAddress(sealer, BASE, changed), null, changed);
    }
});

test('another installation, another address, and what is no tag stand for nothing', () => {
  const address = replyAddress(sealer, BASE, { number: 7n, userId: randomUUID() });
  const other = new Sealer('one', new Map([['one', randomBytes(32)]]));
  assert.equal(openReplyAddress(other, BASE, address), null);
  assert.equal(openReplyAddress(sealer, 'sales@hosting.example', address), null);
  for (const wrong of [
    '',
    BASE,
    'tickets+@hosting.example',
    'tickets+aaaa@hosting.example',
    `${address}.evil.example`,
  ])
    assert.equal(openReplyAddress(sealer, BASE, wrong), null, wrong);
});

test('an address that was mailed before the key was changed is still good', () => {
  const address = replyAddress(sealer, BASE, { number: 7n, userId: randomUUID() });
  const rotated = new Sealer('two', new Map([...keys, ['two', randomBytes(32)]]));
  assert.notEqual(openReplyAddress(rotated, BASE, address), null);
});

test('a tag that nobody here made is told from the address without one, and from addresses of others', () => {
  const address = replyAddress(sealer, BASE, { number: 7n, userId: randomUUID() });
  const forged = [address.replace('+', '+a'), 'tickets+abc@hosting.example', 'Tickets+@HOSTING.example'];
  for (const one of forged) assert.ok(isForged(sealer, BASE, one), one);
  const others = [address, address.toUpperCase(), BASE, 'a+b@hosting.example', 'tickets+a@other.example'];
  for (const one of others) assert.ok(!isForged(sealer, BASE, one), one);
});
