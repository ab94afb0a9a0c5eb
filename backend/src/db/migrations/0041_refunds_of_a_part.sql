-- refunds.period_from: from when on nothing of the order's term is delivered any more; where the basis is pro_rata, less of
-- it. That is not the term's beginning where a part of the price was paid back for an outage, as it was written.
UPDATE refunds r SET period_from = greatest(o.period_from, least(o.period_to, (
  -- The service ended with it.
  SELECT max(c.effective_at) FROM cancellations c
  WHERE c.service_id = o.service_id AND c.mode = 'immediate' AND c.requested_at = r.created_at)))
FROM orders o
WHERE o.id = r.order_id AND r.basis = 'undelivered' AND r.period_from <= o.period_from
  AND o.gross > (SELECT sum(a.gross) FROM refunds a WHERE a.order_id = o.id AND a.created_at <= r.created_at);
