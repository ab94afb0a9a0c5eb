import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Heap } from './heap.ts';

test('whatever is pushed and popped when, the smallest comes out', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.option(fc.integer())), (first, steps) => {
      const heap = new Heap(first, (item) => item);
      const model = [...first];
      for (const step of [...steps, ...first.map(() => null), null]) {
        if (step !== null) {
          heap.push(step);
          model.push(step);
        } else {
          model.sort((a, b) => a - b);
          assert.equal(heap.pop(), model.shift());
        }
      }
    }),
  );
});
