-- An account's sign-ins, and the tries that failed, are read from the audit, of which they are a small part.

CREATE INDEX audit_sign_ins ON audit (account_id, created_at) WHERE operation = 'account/login';
