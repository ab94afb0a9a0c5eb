import { sha256 } from '../../../base/canonical.ts';

/** Where a customer's chain ends. */
export interface ChainHead {
  readonly account: string;
  readonly seq: bigint;
  readonly hash: Buffer;
}

/** A neighbour on the way from a leaf to the root, and on which side of the way it stands. */
export interface PathStep {
  readonly side: 'left' | 'right';
  readonly hash: Buffer;
}

/**
 * Leaves and inner nodes are hashed under different prefixes, so neither can be passed off as the other
 * (RFC 9162 §2.1.1).
 */
export function leafHash(head: ChainHead): Buffer {
  return sha256(Buffer.concat([Buffer.from([0]), Buffer.from(`${head.account} ${head.seq} `), head.hash]));
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.from([1]), left, right]));
}

/** The Merkle tree hash of the heads in the given order. */
export function merkleRoot(heads: readonly ChainHead[]): Buffer {
  return treeHash(heads.map(leafHash));
}

/**
 * The hash of the tree over these leaves, or over subtrees of 2^n leaves each of which only the last may be
 * smaller: an odd node moves up as it is, so both give the same root.
 */
export function treeHash(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) level = above(level);
  return level[0] ?? sha256(Buffer.alloc(0));
}

/** The neighbours from the hash at `index` up to the root, the nearest first. */
export function pathOf(hashes: readonly Buffer[], index: number): PathStep[] {
  const path: PathStep[] = [];
  let at = index;
  for (let level = hashes; level.length > 1; level = above(level)) {
    const neighbour = level[at ^ 1];
    if (neighbour !== undefined) path.push({ side: at % 2 === 0 ? 'right' : 'left', hash: neighbour });
    at >>= 1;
  }
  return path;
}

/** The root that a hash and its path lead to. */
export function rootOf(hash: Buffer, path: readonly PathStep[]): Buffer {
  return path.reduce(
    (node, step) => (step.side === 'left' ? nodeHash(step.hash, node) : nodeHash(node, step.hash)),
    hash,
  );
}

function above(level: readonly Buffer[]): Buffer[] {
  const nodes: Buffer[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = [level[index], level[index + 1]];
    if (left !== undefined) nodes.push(right === undefined ? left : nodeHash(left, right));
  }
  return nodes;
}
