-- The archive of an account reads these tables in the order of their ids.
CREATE INDEX bank_entries_account ON bank_entries (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX cancellations_account ON cancellations (account_id, id);
CREATE INDEX console_sessions_account ON console_sessions (account_id, id);
CREATE INDEX payment_methods_of_account ON payment_methods (account_id, id);
CREATE INDEX vat_checks_of_account ON vat_checks (account_id, id);
CREATE INDEX webhooks_of_account ON webhooks (account_id, id);
