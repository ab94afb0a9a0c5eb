-- Why an account is suspended, for its customer, and what operators noted; empty while it is not.
ALTER TABLE accounts
  ADD COLUMN suspended_reason text CHECK (suspended_reason IN ('unpaid', 'abuse', 'legal', 'operator', 'verification')),
  ADD COLUMN suspended_note text NOT NULL DEFAULT '',
  ADD COLUMN suspended_at timestamptz;
