import type { Signer } from '../../../base/sign.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { type LedgerHead, ledgerHead, signedHead } from './head.ts';
import { journal, journalLine } from './journal.ts';
import { newestRoot, type ProvenRoot } from './root.ts';

/**
 * An account's ledger as a file of JSON Lines that proves itself: a header, every entry as the very text that its
 * hash is of, and a last line with the signed head. docs/guides/verifying-the-ledger.md has the verifier.
 */
const FORMAT = 'hostkeep-ledger-file-1';
const BATCH = 1000n;

export function fileHeader({ account, currency }: LedgerHead): string {
  return `${JSON.stringify({ format: FORMAT, account, currency })}\n`;
}

/** The entries of a range as the file has them. */
export async function fileLines(
  db: Executor,
  accountId: string,
  range: { readonly first: bigint; readonly last: bigint },
): Promise<string> {
  const entries = await journal(db, accountId, range);
  return entries.map((entry) => `${journalLine(entry)}\n`).join('');
}

export async function fileEnd(db: Executor, signer: Signer, head: LedgerHead, now: Instant): Promise<string> {
  const root = await newestRoot(db, head.account);
  return `${JSON.stringify({ head: signedHead(signer, head, now), root: printRoot(root) })}\n`;
}

/** The whole file, as the ledger is when it begins, in pieces. */
export async function* ledgerFile(
  db: Executor,
  signer: Signer,
  accountId: string,
  now: Instant,
): AsyncGenerator<string> {
  const head = await ledgerHead(db, accountId);
  yield fileHeader(head);
  for (let first = 1n; first <= head.seq; first += BATCH) {
    const last = first + BATCH - 1n;
    yield await fileLines(db, accountId, { first, last: last < head.seq ? last : head.seq });
  }
  yield await fileEnd(db, signer, head, now);
}

/** A root as files and answers print it. */
export function printRoot(root: ProvenRoot | null) {
  if (root === null) return null;
  return {
    day: root.day,
    accounts: root.accounts,
    root: root.root.toString('hex'),
    seq: Number(root.seq),
    path: root.path.map((step) => ({ side: step.side, hash: step.hash.toString('hex') })),
    key_id: root.keyId,
    signature: root.signature.toString('base64url'),
  };
}
