-- What was attached to a customer's tickets, for the archive of his account.
CREATE INDEX ticket_attachments_account ON ticket_attachments (account_id, created_at, id);
