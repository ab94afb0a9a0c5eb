-- What the entries of each kind come to up to each thousandth entry of an account, so that the sums of a customer with a
-- million entries are two look-ups and what lies between. Made by a job, behind the bookings; entries never change.
CREATE TABLE ledger_marks (
  account_id uuid NOT NULL REFERENCES accounts,
  kind text NOT NULL CHECK (kind IN
    ('topup', 'order', 'renewal', 'refund', 'voucher', 'affiliate', 'adjustment', 'chargeback', 'fee')),
  seq bigint NOT NULL CHECK (seq % 1000 = 0),
  entries bigint NOT NULL,
  credit bigint NOT NULL,
  debit bigint NOT NULL,
  PRIMARY KEY (account_id, kind, seq)
);
GRANT SELECT, INSERT ON ledger_marks TO hostkeep_app;

-- Each thousandth entry of an account: where a mark belongs.
CREATE INDEX ledger_entries_thousandth ON ledger_entries (account_id, seq) WHERE seq % 1000 = 0;
