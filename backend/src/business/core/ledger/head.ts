import type { Signer } from '../../../base/sign.ts';
import { type Instant, wireTime } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** The end of an account's chain as its row has it, which no entry can be cut off from unseen. */
export interface LedgerHead {
  readonly account: string;
  readonly currency: string;
  /** 0, and a hash of zeros, before the first entry. */
  readonly seq: bigint;
  readonly hash: Buffer;
}

const loadHead = statement<LedgerHead>(
  'load_ledger_head',
  'SELECT id AS account, currency, ledger_seq AS seq, ledger_hash AS hash FROM accounts WHERE id = $1',
);

/** Throws when there is no such account: accounts are never deleted, and the caller has just been seen. */
export async function ledgerHead(db: Executor, accountId: string): Promise<LedgerHead> {
  const [head] = await db.run(loadHead, [accountId]);
  if (head === undefined) throw new Error(`account ${accountId} does not exist`);
  return head;
}

/** A head, signed when it was asked for: it also covers what the day's root does not yet. */
export function signedHead(signer: Signer, { account, seq, hash }: LedgerHead, now: Instant) {
  const head = { seq: Number(seq), hash: hash.toString('hex'), signed_at: wireTime(now) };
  const text = `hostkeep-head-1 ${account} ${head.seq} ${head.hash} ${head.signed_at}`;
  return {
    ...head,
    key_id: signer.keyId,
    signature: signer.sign(Buffer.from(text)).toString('base64url'),
  };
}
