import { sqlCheck } from '../check.ts';

const TOUCHED = 'a.ledger_at >= $1';

export default [
  sqlCheck(
    'the ledger sums to zero',
    `SELECT 'entry ' || p.entry_id AS problem FROM accounts a JOIN ledger_entries e ON e.account_id = a.id
       AND e.created_at >= $1 JOIN ledger_postings p ON p.entry_id = e.id
     WHERE ${TOUCHED} GROUP BY p.entry_id HAVING sum(p.amount) <> 0`,
  ),
  sqlCheck(
    'every balance is the sum of its lines',
    `SELECT 'account ' || a.id || ': ' || a.balance || ' but ' || e.total || ', postings ' || p.total AS problem
     FROM accounts a,
       LATERAL (SELECT coalesce(sum(amount), 0) AS total, count(*) AS entries, coalesce(max(seq), 0) AS last
         FROM ledger_entries WHERE account_id = a.id) e,
       LATERAL (SELECT coalesce(sum(l.amount), 0) AS total FROM ledger_entries x JOIN ledger_postings l
         ON l.entry_id = x.id AND l.ledger_account = 'customer:' || a.id WHERE x.account_id = a.id) p
     WHERE ${TOUCHED} AND (a.balance <> e.total OR a.balance <> p.total OR a.ledger_seq <> e.entries
       OR a.ledger_seq <> e.last)`,
  ),
  sqlCheck(
    'what is reserved is what open holds hold, and nobody is below what is allowed',
    `SELECT 'account ' || a.id AS problem FROM accounts a
     WHERE ${TOUCHED} AND (a.balance - a.reserved < a.floor OR a.reserved <>
       (SELECT coalesce(sum(amount), 0) FROM holds h WHERE h.account_id = a.id AND h.state = 'open'))`,
  ),
  sqlCheck(
    'every entry carries the hash of the one before it',
    `SELECT 'entry ' || e.id AS problem FROM accounts a JOIN ledger_entries e ON e.account_id = a.id
       JOIN ledger_entries b ON b.account_id = a.id AND b.seq = e.seq - 1
     WHERE ${TOUCHED} AND e.created_at >= $1 AND (e.prev_hash <> b.hash OR e.balance_after <> b.balance_after + e.amount)`,
  ),
  sqlCheck(
    'every completed order was booked once, at its price',
    `SELECT 'order ' || o.id AS problem FROM orders o LEFT JOIN (
         SELECT account_id, order_id, count(*) AS entries, sum(amount) AS total
         FROM ledger_entries WHERE kind IN ('order', 'renewal') GROUP BY account_id, order_id) e
       ON e.account_id = o.account_id AND e.order_id = o.id
     WHERE o.state = 'completed' AND o.closed_at >= $1 AND (e.entries IS DISTINCT FROM 1 OR e.total <> -o.gross)`,
  ),
  sqlCheck(
    'nothing is refunded beyond what was paid',
    `SELECT 'order ' || r.order_id AS problem FROM refunds r JOIN orders o ON o.id = r.order_id
     WHERE r.created_at >= $1 GROUP BY r.order_id, o.gross, o.tax
     HAVING (SELECT sum(x.gross) FROM refunds x WHERE x.order_id = r.order_id) > o.gross
       OR (SELECT sum(x.tax) FROM refunds x WHERE x.order_id = r.order_id) > o.tax`,
  ),
  sqlCheck(
    'a voucher is credited once',
    `SELECT 'voucher ' || v.id AS problem FROM vouchers v WHERE v.redeemed_at >= $1 AND v.kind = 'credit'
       AND (SELECT count(*) FROM ledger_entries e WHERE e.account_id = v.redeemed_by AND e.id = v.entry_id
         AND e.amount = v.amount) <> 1`,
  ),
  sqlCheck(
    // Of the last months: what is older than events are kept goes by whole months.
    'no event is missing in an account’s sequence',
    `SELECT 'account ' || a.id AS problem FROM accounts a,
       LATERAL (SELECT max(sequence) AS last, min(sequence) + count(*) - 1 AS dense FROM events
         WHERE account_id = a.id AND created_at >= $2::timestamptz - interval '300 days') e
     WHERE ${TOUCHED} AND (e.last <> a.event_seq OR e.dense <> a.event_seq)`,
  ),
];
