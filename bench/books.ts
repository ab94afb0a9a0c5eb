import { entryHash } from '../backend/src/business/core/ledger/entry.ts';
import { query } from './databases.ts';

/** What must still be true after hundreds of thousands of orders from both sides: [what, whether]. */
export async function checkBooks(url: string): Promise<readonly (readonly [string, boolean])[]> {
  const { rows } = await query<
    Record<'sum' | 'orders' | 'licenses' | 'balances' | 'chain' | 'events', boolean>
  >(
    url,
    `SELECT
       (SELECT coalesce(sum(amount), 0) = 0 FROM ledger_postings) AS sum,
       NOT EXISTS (SELECT FROM orders o LEFT JOIN ledger_entries e ON e.id = o.entry_id
         WHERE o.product = 'license' AND e.amount IS DISTINCT FROM -o.gross) AS orders,
       NOT EXISTS (SELECT FROM orders o LEFT JOIN licenses l ON l.id = o.service_id
         WHERE o.product = 'license' AND l.id IS NULL) AS licenses,
       NOT EXISTS (SELECT FROM accounts a JOIN (SELECT DISTINCT ON (account_id) * FROM ledger_entries
           WHERE balance_after <> 0 ORDER BY account_id, seq DESC) e ON e.account_id = a.id
         WHERE (a.balance, a.ledger_seq, a.ledger_hash) IS DISTINCT FROM (e.balance_after, e.seq, e.hash)) AS balances,
       NOT EXISTS (SELECT FROM (SELECT balance_after, prev_hash, lag(hash) OVER w AS before,
           lag(balance_after) OVER w AS balance_before FROM ledger_entries WINDOW w AS (PARTITION BY account_id ORDER BY seq)) e
         WHERE balance_before <> 0 AND prev_hash <> before) AS chain,
       NOT EXISTS (SELECT FROM (SELECT sequence - lag(sequence) OVER (PARTITION BY account_id ORDER BY sequence) AS step
         FROM events) e WHERE step <> 1) AS events`,
  );
  const [row] = rows;
  return [
    ['the ledger sums to zero', row?.sum === true],
    ['every order has its entry of the same amount', row?.orders === true],
    ['every order has its license', row?.licenses === true],
    ['every balance and chain head is that of the last entry', row?.balances === true],
    ['every entry carries the hash of the one before', row?.chain === true],
    ['event sequences have no gaps', row?.events === true],
    ['entries of both sides hash to what they say', await hashesHold(url)],
  ];
}

/** Computes the hashes of some entries anew, as a verifier would: the baseline must write what Hostkeep writes. */
async function hashesHold(url: string): Promise<boolean> {
  const { rows } = await query<
    Omit<Parameters<typeof entryHash>[0], 'seq' | 'amount' | 'tax' | 'balance_after' | 'created_at'> &
      Record<'seq' | 'amount' | 'tax' | 'balance_after', string> & {
        milliseconds: string;
        hash: Buffer;
        postings: { account: string; amount: number }[];
      }
  >(
    url,
    `SELECT e.*, floor(extract(epoch FROM e.created_at) * 1000)::bigint AS milliseconds,
       (SELECT json_agg(json_build_object('account', p.ledger_account, 'amount', p.amount) ORDER BY p.position)
        FROM ledger_postings p WHERE p.entry_id = e.id) AS postings
     FROM ledger_entries e WHERE e.balance_after <> 0 ORDER BY hashtext(e.id::text) LIMIT 2000`,
  );
  return rows.every((row) => {
    const entry = {
      ...row,
      seq: BigInt(row.seq),
      amount: BigInt(row.amount),
      tax: BigInt(row.tax),
      balance_after: BigInt(row.balance_after),
      created_at: Temporal.Instant.fromEpochMilliseconds(Number(row.milliseconds)),
    };
    const postings = row.postings.map(({ account, amount }) => ({
      ledgerAccount: account,
      amount: BigInt(amount),
    }));
    return entryHash(entry, postings).equals(row.hash);
  });
}
