-- Webhooks: where customers want to be told of their account's events.
--
-- Nothing is written for a webhook by what makes an event: a webhook has a cursor into its account's events, and
-- deliveries are made from there (business/webhooks/turn.ts).

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  url text NOT NULL,
  description text NOT NULL,
  -- Types, groups (`server.*`), or all (`*`).
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  -- null: removed.
  secret_sealed bytea,
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  -- Switched off because nothing was accepted for days.
  disabled_at timestamptz,
  -- Up to which sequence events have become deliveries.
  cursor bigint NOT NULL CHECK (cursor >= 0),
  -- When the first of what waits is due; null: nothing waits.
  due_at timestamptz,
  -- Until then nothing is sent, whatever happens: the line waits for an event, or the receiver is given a rest.
  quiet_until timestamptz,
  -- Something is to be sent at once, also while all is quiet: a test.
  roused boolean NOT NULL DEFAULT false,
  -- Who works on it has it until then; `turns` counts, so that one who comes too late changes nothing.
  taken_until timestamptz,
  taken_at timestamptz,
  turns bigint NOT NULL DEFAULT 0,
  -- Since when nothing was accepted any more; null: the last attempt was.
  failing_since timestamptz,
  -- Rests in a row, each longer than the one before.
  pauses integer NOT NULL DEFAULT 0,
  -- Whether those behind an event that is not accepted wait for it.
  holds_line boolean NOT NULL DEFAULT true,
  last_success_at timestamptz,
  CONSTRAINT webhooks_removed_is_off CHECK (removed_at IS NULL OR (NOT active AND secret_sealed IS NULL))
);
CREATE INDEX webhooks_active ON webhooks (id) WHERE active;
CREATE INDEX webhooks_account ON webhooks (account_id, created_at) WHERE removed_at IS NULL;

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks,
  kind text NOT NULL CHECK (kind IN ('event', 'replay', 'test')),
  -- Which event, and what finds it: its body is not copied.
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  sequence bigint NOT NULL,
  event_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- [{at, status, duration_ms, error, answer}], the oldest first
  log jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  finished_at timestamptz,
  CONSTRAINT webhook_deliveries_due CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  CONSTRAINT webhook_deliveries_finished CHECK ((state = 'pending') = (finished_at IS NULL))
);
-- An event waits once, and in its place.
CREATE UNIQUE INDEX webhook_deliveries_line ON webhook_deliveries (webhook_id, sequence) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_due_at ON webhook_deliveries (webhook_id, due_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

GRANT SELECT, INSERT, UPDATE ON webhooks TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO hostkeep_app;
