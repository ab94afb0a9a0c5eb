import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, FrameReader } from './frame.ts';

test('frames are found again, however they are cut on their way', () => {
  const documents = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 5 });
  fc.assert(
    fc.property(documents, fc.integer({ min: 1, max: 40 }), (sent, size) => {
      const octets = Buffer.concat(sent.map(encodeFrame));
      const reader = new FrameReader();
      const read: string[] = [];
      for (let at = 0; at < octets.length; at += size)
        read.push(...reader.read(octets.subarray(at, at + size)));
      assert.deepEqual(
        read,
        sent.map((text) => text.toWellFormed()),
      );
      assert.equal(reader.open, false);
    }),
  );
});

test('a frame is refused by its announcement, before its content is kept', () => {
  const reader = new FrameReader(100);
  const announce = (length: number) => {
    const octets = Buffer.alloc(4);
    octets.writeUInt32BE(length);
    return octets;
  };
  assert.deepEqual([...reader.read(encodeFrame('x'.repeat(100)))], ['x'.repeat(100)]);
  assert.throws(() => [...reader.read(announce(105))], { name: 'FrameError', message: /at most 100/ });
  assert.throws(() => [...new FrameReader().read(announce(4))], {
    name: 'FrameError',
    message: /no content/,
  });
});

test('a frame is text in UTF-8', () => {
  const octets = Buffer.from([0, 0, 0, 6, 0xc3, 0x28]);
  assert.throws(() => [...new FrameReader().read(octets)], { name: 'FrameError', message: /UTF-8/ });
});
