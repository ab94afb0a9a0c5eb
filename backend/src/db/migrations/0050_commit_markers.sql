-- What proves that a transaction was committed.
--
-- Each connection has one row (its slot), and each transaction writes a marker of its own into it. When the answer to a
-- COMMIT is lost, the row says what became of the transaction, on whatever server answers then. The id that PostgreSQL
-- gives to a transaction cannot say it: after a crash or a fail-over the same id goes to another transaction.
--
-- A row is brought up to date in place (no index holds what changes), so the table stays as long as there are connections.
-- Times are the server's: they only tell which connections have been gone for a day.
CREATE TABLE commit_markers (
  slot uuid PRIMARY KEY,
  marker uuid NOT NULL,
  -- Set by a settlement: a write that is acknowledged only when what it has seen is as durable as itself.
  settled boolean NOT NULL DEFAULT false,
  written_at timestamptz NOT NULL
) WITH (fillfactor = 30);
GRANT SELECT, INSERT, UPDATE, DELETE ON commit_markers TO hostkeep_app;
