import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../base/canonical.ts';
import { pathOf, rootOf, treeHash } from './merkle.ts';

const leaves = (count: number) => Array.from({ length: count }, (_, index) => sha256(`leaf ${index}`));

test('the tree hash is that of RFC 9162 §2.1.1', () => {
  const largestPowerBelow = (count: number) => 2 ** Math.floor(Math.log2(count - 1));
  const recursive = (hashes: readonly Buffer[]): Buffer => {
    const [only] = hashes;
    if (hashes.length === 1 && only !== undefined) return only;
    const split = largestPowerBelow(hashes.length);
    const [left, right] = [hashes.slice(0, split), hashes.slice(split)].map(recursive);
    return sha256(Buffer.concat([Buffer.from([1]), left ?? Buffer.of(), right ?? Buffer.of()]));
  };
  for (let count = 1; count < 70; count += 1) {
    assert.deepEqual(treeHash(leaves(count)), recursive(leaves(count)), `${count} leaves`);
  }
  assert.deepEqual(treeHash([]), sha256(''));
});

test('a path leads from its leaf to the root, through subtrees too, and from nothing else', () => {
  const SIZE = 8;
  for (let count = 1; count < 70; count += 1) {
    const all = leaves(count);
    const parts = Array.from({ length: Math.ceil(count / SIZE) }, (_, at) =>
      all.slice(at * SIZE, (at + 1) * SIZE),
    );
    const subtrees = parts.map(treeHash);
    assert.deepEqual(treeHash(subtrees), treeHash(all));
    for (const [index, leaf] of all.entries()) {
      const at = Math.floor(index / SIZE);
      const path = [...pathOf(parts[at] ?? [], index % SIZE), ...pathOf(subtrees, at)];
      assert.deepEqual(path, pathOf(all, index));
      assert.deepEqual(rootOf(leaf, path), treeHash(all));
      assert.notDeepEqual(rootOf(sha256('another'), path), treeHash(all));
    }
  }
});
