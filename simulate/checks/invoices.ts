import { sqlCheck } from '../check.ts';

export default [
  sqlCheck(
    'invoices are numbered without gaps',
    `SELECT series || ' ' || year || ': ' || count(*) || ' of ' || max(sequence) AS problem FROM invoices
     WHERE year >= extract(year FROM $1::timestamptz) - 1
     GROUP BY series, year HAVING count(*) <> max(sequence) OR min(sequence) <> 1`,
  ),
  sqlCheck(
    'a later number has no earlier date',
    `SELECT number AS problem FROM (SELECT number, issued_at, issue_date,
         lag(issued_at) OVER w AS before, lag(issue_date) OVER w AS day_before FROM invoices
         WHERE issued_at >= $1::timestamptz - interval '2 days'
         WINDOW w AS (PARTITION BY series, year ORDER BY sequence)) i
     WHERE issued_at < before OR issue_date < day_before`,
  ),
  sqlCheck(
    'an invoice is what was paid, a credit note what was paid back',
    `SELECT i.number AS problem FROM invoices i WHERE i.issued_at >= $1 AND i.gross <> CASE i.kind
       WHEN 'invoice' THEN (SELECT coalesce(sum(gross), 0) FROM orders o WHERE o.invoice_id = i.id)
       ELSE (SELECT coalesce(sum(gross), 0) FROM refunds r WHERE r.invoice_id = i.id) END`,
  ),
  sqlCheck(
    'whatever was paid or paid back is invoiced within two days',
    `SELECT 'order ' || id AS problem FROM orders WHERE state = 'completed' AND invoice_id IS NULL AND gross > 0
       AND closed_at < $2::timestamptz - interval '2 days' AND closed_at >= $1::timestamptz - interval '9 days'
     UNION ALL SELECT 'refund ' || id FROM refunds WHERE invoice_id IS NULL
       AND created_at < $2::timestamptz - interval '2 days' AND created_at >= $1::timestamptz - interval '9 days'`,
  ),
];
