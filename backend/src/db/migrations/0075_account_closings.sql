-- Accounts that were closed: by whom, and what of the balance is paid out to which bank account. The account's rows stay, as
-- its invoices and its ledger must.
CREATE TABLE account_closings (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  closed_at timestamptz NOT NULL,
  -- The customer's owner, or an operator.
  closed_by uuid NOT NULL REFERENCES users,
  reason text NOT NULL,
  payout bigint NOT NULL CHECK (payout >= 0),
  currency text NOT NULL,
  payout_entry uuid,
  iban text,
  account_holder text,
  -- When an operator said that the money was sent, and by which reference.
  paid_at timestamptz,
  paid_by uuid REFERENCES users,
  paid_reference text,
  CONSTRAINT account_closings_payout CHECK (payout = 0 OR (payout_entry IS NOT NULL AND iban IS NOT NULL AND account_holder IS NOT NULL))
);
CREATE INDEX account_closings_unpaid ON account_closings (closed_at, account_id) WHERE payout > 0 AND paid_at IS NULL;

GRANT SELECT, INSERT ON account_closings TO hostkeep_app;
GRANT UPDATE (paid_at, paid_by, paid_reference) ON account_closings TO hostkeep_app;
