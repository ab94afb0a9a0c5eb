import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type ChainHead, leafHash, type PathStep, pathOf, rootOf, treeHash } from './merkle.ts';

/** Leaves of one subtree whose hash is kept with a root: a path is made from one subtree, not from all accounts. */
export const SUBTREE = 1024;

/** A day's signed root, and the way to it from an account's head on that day. */
export interface ProvenRoot {
  readonly day: string;
  readonly accounts: number;
  readonly root: Buffer;
  readonly keyId: string;
  readonly signature: Buffer;
  /** The account's head that it covers. */
  readonly seq: bigint;
  readonly path: readonly PathStep[];
}

interface RootRow {
  readonly day: string;
  readonly accounts: bigint;
  readonly root: Buffer;
  readonly key_id: string;
  readonly signature: Buffer;
  readonly subtrees: Buffer;
  readonly subtree_starts: readonly string[];
  readonly seq: bigint;
}

const COLUMNS = 'r.day, r.accounts, r.root, r.key_id, r.signature, r.subtrees, r.subtree_starts, h.seq';

const loadCovering = statement<RootRow>(
  'ledger_root_covering',
  `SELECT ${COLUMNS} FROM ledger_heads h JOIN ledger_roots r ON r.day = h.day
   WHERE h.account_id = $1 AND h.seq >= $2 ORDER BY h.day LIMIT 1`,
);
const loadNewest = statement<RootRow>(
  'ledger_root_newest',
  `SELECT ${COLUMNS} FROM ledger_roots r CROSS JOIN LATERAL
     (SELECT seq FROM ledger_heads WHERE account_id = $1 AND day <= r.day ORDER BY day DESC LIMIT 1) h
   WHERE r.subtrees IS NOT NULL ORDER BY r.day DESC LIMIT 1`,
);
// Heads are kept for the days on which they changed; on all others the one before holds.
const loadSubtree = statement<ChainHead>(
  'ledger_subtree',
  `SELECT a.id AS account, h.seq, e.hash FROM accounts a
   CROSS JOIN LATERAL
     (SELECT seq FROM ledger_heads WHERE account_id = a.id AND day <= $3 ORDER BY day DESC LIMIT 1) h
   JOIN ledger_entries e ON e.account_id = a.id AND e.seq = h.seq
   WHERE a.id >= $1 AND a.id < $2 ORDER BY a.id`,
);
const LAST_ACCOUNT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first signed root that covers an entry; null until the night after it was booked. */
export async function rootCovering(db: Executor, accountId: string, seq: bigint): Promise<ProvenRoot | null> {
  const [row] = await db.run(loadCovering, [accountId, seq]);
  return row === undefined ? null : await proven(db, accountId, row);
}

/** The newest signed root that covers any of the account's entries; null when there is none yet. */
export async function newestRoot(db: Executor, accountId: string): Promise<ProvenRoot | null> {
  const [row] = await db.run(loadNewest, [accountId]);
  return row === undefined ? null : await proven(db, accountId, row);
}

/**
 * Makes the path from what is stored now. Throws when that no longer leads to the root that was signed then: the
 * ledger was rewritten, of this account or of one beside it.
 */
async function proven(db: Executor, accountId: string, row: RootRow): Promise<ProvenRoot> {
  const subtrees = Array.from({ length: row.subtrees.length / 32 }, (_, at) =>
    row.subtrees.subarray(at * 32, at * 32 + 32),
  );
  const at = row.subtree_starts.findLastIndex((start) => start <= accountId);
  const heads = await db.run(loadSubtree, [
    row.subtree_starts[at],
    row.subtree_starts[at + 1] ?? LAST_ACCOUNT,
    row.day,
  ]);
  const leaves = heads.map(leafHash);
  const index = heads.findIndex((head) => head.account === accountId);
  const leaf = leaves[index];
  const path = [...pathOf(leaves, index), ...pathOf(subtrees, at)];
  if (leaf === undefined || !treeHash(subtrees).equals(row.root) || !rootOf(leaf, path).equals(row.root)) {
    throw new Error(`the ledger does not lead to the root that was signed on ${row.day}`);
  }
  return {
    day: row.day,
    accounts: Number(row.accounts),
    root: row.root,
    keyId: row.key_id,
    signature: row.signature,
    seq: row.seq,
    path,
  };
}
