-- Consoles: what lets somebody open one, and who looked at which screen for how long.

-- For one connection, within two minutes. Only the hash of what was given away is kept, and it goes with its use.
CREATE TABLE console_tickets (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  server_id uuid NOT NULL REFERENCES servers,
  account_id uuid NOT NULL REFERENCES accounts,
  user_id uuid NOT NULL,
  token_id uuid NOT NULL,
  -- Of the request that it was given to, as the audit has it.
  request_id uuid NOT NULL,
  -- Where it has to come from; null: from anywhere.
  ip inet,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX console_tickets_expired ON console_tickets (expires_at);

-- The token leads to an operator who acted in the customer's place (decision 11). Part of the audit: never removed.
CREATE TABLE console_sessions (
  id uuid PRIMARY KEY,
  server_id uuid NOT NULL REFERENCES servers,
  account_id uuid NOT NULL REFERENCES accounts,
  user_id uuid NOT NULL,
  token_id uuid NOT NULL,
  request_id uuid NOT NULL,
  ip inet NOT NULL,
  began_at timestamptz NOT NULL,
  -- It goes on no longer than that.
  limit_at timestamptz NOT NULL,
  -- When the process that carries it said last that it does.
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  reason text,
  bytes_from_machine bigint NOT NULL DEFAULT 0,
  bytes_to_machine bigint NOT NULL DEFAULT 0,
  CONSTRAINT console_sessions_ended CHECK ((ended_at IS NULL) = (reason IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX console_sessions_open ON console_sessions (account_id) WHERE ended_at IS NULL;
CREATE INDEX console_sessions_server ON console_sessions (server_id, began_at);

-- UPDATE, because a ticket is locked before it is taken.
GRANT SELECT, INSERT, UPDATE, DELETE ON console_tickets TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE ON console_sessions TO hostkeep_app;
