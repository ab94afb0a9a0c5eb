-- A token for certain things orders nothing new, unless it was given that, with a budget.

ALTER TABLE tokens ADD COLUMN may_order_new boolean NOT NULL DEFAULT false
  CHECK (NOT may_order_new OR (resource_allowlist IS NOT NULL AND spending_limit IS NOT NULL));
