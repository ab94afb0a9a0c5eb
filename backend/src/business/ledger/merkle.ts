import { sha256 } from '../../base/canonical.ts';

/** Where a customer's chain ends. */
export interface ChainHead {
  readonly account: string;
  readonly seq: bigint;
  readonly hash: Buffer;
}

/**
 * The Merkle tree hash of the heads in the given order, as RFC 9162 §2.1.1 builds it: leaves and inner nodes are
 * hashed under different prefixes, so neither can be passed off as the other.
 */
export function merkleRoot(heads: readonly ChainHead[]): Buffer {
  if (heads.length === 0) return sha256(Buffer.alloc(0));
  let level = heads.map((head) =>
    sha256(Buffer.concat([Buffer.from([0]), Buffer.from(`${head.account} ${head.seq} `), head.hash])),
  );
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index], level[index + 1]];
      if (left === undefined) continue;
      above.push(right === undefined ? left : sha256(Buffer.concat([Buffer.from([1]), left, right])));
    }
    level = above;
  }
  return level[0] ?? sha256(Buffer.alloc(0));
}
