-- The core: customers, money, orders, services, licenses, servers, tasks.
--
-- Conventions. Every moment is timestamptz and comes from the application's clock: no column defaults to
-- the server's time. Every amount is a bigint in minor units of `currency`. Rows that only ever grow
-- (ledger, orders, events, audit) carry no foreign key to accounts: they are written by a transaction that
-- holds the account's row lock, and accounts are never deleted.

CREATE TABLE catalog_versions (
  version integer PRIMARY KEY CHECK (version > 0),
  document jsonb NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL
);

-- Customers and their money ------------------------------------------------------------------------------

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  state text NOT NULL CHECK (state IN ('active', 'suspended', 'closed')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  balance bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  credit_limit bigint NOT NULL DEFAULT 0 CHECK (credit_limit >= 0),
  floor bigint NOT NULL DEFAULT 0 CHECK (floor <= -credit_limit),
  ledger_seq bigint NOT NULL DEFAULT 0,
  ledger_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (length(ledger_hash) = 32),
  ledger_at timestamptz,
  event_seq bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  CONSTRAINT accounts_balance_above_floor CHECK (balance - reserved >= floor)
) WITH (fillfactor = 70);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  account_id uuid REFERENCES accounts,
  email text NOT NULL CHECK (email = lower(email)) UNIQUE,
  email_verified_at timestamptz,
  password_hash text,
  first_name text NOT NULL,
  last_name text NOT NULL,
  locale text NOT NULL,
  timezone text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'billing', 'technical', 'readonly', 'staff')),
  state text NOT NULL CHECK (state IN ('active', 'disabled')),
  created_at timestamptz NOT NULL,
  CONSTRAINT users_staff_has_no_account CHECK ((role = 'staff') = (account_id IS NULL))
);
CREATE INDEX users_account ON users (account_id);

CREATE TABLE tokens (
  id uuid PRIMARY KEY,
  account_id uuid REFERENCES accounts,
  user_id uuid NOT NULL REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('session', 'api')),
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  scopes text[] NOT NULL,
  ip_allowlist cidr[] NOT NULL DEFAULT '{}',
  resource_allowlist uuid[],
  dry_run_only boolean NOT NULL DEFAULT false,
  spending_limit bigint CHECK (spending_limit >= 0),
  spent_on date,
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX tokens_account ON tokens (account_id, created_at);

CREATE TABLE ledger_entries (
  account_id uuid NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  id uuid NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN
    ('topup', 'order', 'renewal', 'refund', 'voucher', 'affiliate', 'adjustment', 'chargeback', 'fee')),
  currency text NOT NULL,
  amount bigint NOT NULL,
  tax bigint NOT NULL,
  balance_after bigint NOT NULL,
  description text NOT NULL,
  order_id uuid,
  resource_type text,
  resource_id uuid,
  created_at timestamptz NOT NULL,
  prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (account_id, seq)
);
-- Sums over a period read the credits, which are few; the debits are the rest of what the balance moved.
CREATE INDEX ledger_entries_credits ON ledger_entries (account_id, seq) INCLUDE (amount) WHERE amount > 0;
CREATE INDEX ledger_entries_resource ON ledger_entries (account_id, resource_id, seq) WHERE resource_id IS NOT NULL;

-- The postings of an entry. `ledger_account` is `customer:<uuid>` or a system account such as
-- `revenue:license`, `tax:19.00` or `adjustment`; system accounts keep no running balance (a shared row
-- updated by every order would make all orders wait for one another).
CREATE TABLE ledger_postings (
  entry_id uuid NOT NULL,
  position smallint NOT NULL,
  ledger_account text NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (entry_id, position)
);

-- All postings of an entry are inserted by one statement, so the statement's own rows tell whether it balances.
CREATE FUNCTION ledger_postings_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM inserted GROUP BY entry_id, currency HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'ledger entry does not sum to zero' USING ERRCODE = '23514', CONSTRAINT = 'ledger_postings_zero_sum';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_postings_zero_sum AFTER INSERT ON ledger_postings
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION ledger_postings_balance();

CREATE TABLE ledger_roots (
  day date PRIMARY KEY,
  accounts bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  key_id text NOT NULL,
  signature bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- Orders -------------------------------------------------------------------------------------------------

CREATE TABLE orders (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  token_id uuid,
  product text NOT NULL CHECK (product IN ('license', 'server', 'webspace', 'domain')),
  action text NOT NULL CHECK (action IN ('create', 'renew')),
  service_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'completed', 'failed')),
  price_version integer NOT NULL,
  currency text NOT NULL,
  lines jsonb NOT NULL,
  net bigint NOT NULL CHECK (net >= 0),
  discount bigint NOT NULL CHECK (discount >= 0),
  tax_rate integer NOT NULL CHECK (tax_rate >= 0),
  tax bigint NOT NULL CHECK (tax >= 0),
  gross bigint NOT NULL,
  discount_code text,
  duration integer NOT NULL CHECK (duration > 0),
  duration_unit text NOT NULL CHECK (duration_unit IN ('hour', 'month', 'year')),
  period_from timestamptz NOT NULL,
  period_to timestamptz NOT NULL,
  terms_version text,
  entry_id uuid NOT NULL,
  failure text,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  CONSTRAINT orders_gross_is_net_and_tax CHECK (gross = net + tax),
  CONSTRAINT orders_period CHECK (period_to > period_from),
  CONSTRAINT orders_closed CHECK ((state = 'pending') = (closed_at IS NULL))
);
-- Nothing pays twice for the same term, whoever asks: customer, nightly run or a repeated job. What came to
-- nothing has paid nothing.
CREATE UNIQUE INDEX orders_term_once ON orders (service_id, period_from) WHERE state <> 'failed';
CREATE INDEX orders_account ON orders (account_id, created_at);
CREATE INDEX orders_pending ON orders (created_at) WHERE state = 'pending';

CREATE TABLE holds (
  order_id uuid PRIMARY KEY REFERENCES orders,
  account_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  state text NOT NULL CHECK (state IN ('open', 'captured', 'released')),
  entry_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  CONSTRAINT holds_closed CHECK ((state = 'open') = (closed_at IS NULL))
);
CREATE INDEX holds_open ON holds (account_id, created_at) WHERE state = 'open';

CREATE TABLE quotes (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  request_hash bytea NOT NULL,
  price_version integer NOT NULL,
  net bigint NOT NULL,
  gross bigint NOT NULL,
  created_at timestamptz NOT NULL,
  valid_until timestamptz NOT NULL
);
CREATE INDEX quotes_valid_until ON quotes (valid_until);

CREATE TABLE discount_codes (
  code text PRIMARY KEY CHECK (code = upper(code)),
  percent integer NOT NULL CHECK (percent BETWEEN 1 AND 10000),
  products text[],
  max_uses integer CHECK (max_uses > 0),
  max_uses_per_account integer CHECK (max_uses_per_account > 0),
  uses integer NOT NULL DEFAULT 0,
  valid_from timestamptz NOT NULL,
  valid_until timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT discount_codes_uses CHECK (max_uses IS NULL OR uses <= max_uses)
);
CREATE TABLE discount_uses (
  code text NOT NULL REFERENCES discount_codes,
  order_id uuid NOT NULL,
  account_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (code, order_id)
);
CREATE INDEX discount_uses_account ON discount_uses (account_id, code);

CREATE TABLE vouchers (
  code_hash bytea PRIMARY KEY,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  description text NOT NULL,
  expires_at timestamptz,
  redeemed_by uuid,
  redeemed_at timestamptz,
  entry_id uuid,
  created_at timestamptz NOT NULL,
  CONSTRAINT vouchers_redeemed CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL))
);

-- Services: what a customer has, for a term. The products' own tables share the id. -----------------------

CREATE TABLE services (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL REFERENCES accounts,
  product text NOT NULL CHECK (product IN ('license', 'server', 'webspace', 'domain')),
  item text NOT NULL,
  name text NOT NULL,
  custom_name text,
  state text NOT NULL CHECK (state IN ('pending', 'provisioning', 'active', 'suspended', 'cancel_scheduled',
    'expired', 'cancelled', 'deleted', 'error')),
  auto_renew boolean NOT NULL,
  duration integer NOT NULL CHECK (duration > 0),
  duration_unit text NOT NULL CHECK (duration_unit IN ('hour', 'month', 'year')),
  anchor_day smallint NOT NULL CHECK (anchor_day BETWEEN 1 AND 31),
  expire_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
) WITH (fillfactor = 90);
CREATE INDEX services_account ON services (account_id, product, created_at);
CREATE INDEX services_expiring ON services (expire_at) WHERE ended_at IS NULL;

CREATE TABLE suspensions (
  service_id uuid NOT NULL REFERENCES services,
  reason text NOT NULL CHECK (reason IN ('unpaid', 'abuse', 'legal', 'operator', 'verification')),
  note text NOT NULL DEFAULT '',
  since timestamptz NOT NULL,
  -- What the service is again when its last suspension ends.
  resumes_as text NOT NULL DEFAULT 'active' CHECK (resumes_as IN ('active', 'cancel_scheduled')),
  PRIMARY KEY (service_id, reason)
);

CREATE TABLE licenses (
  id uuid PRIMARY KEY REFERENCES services,
  key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  key_sealed bytea NOT NULL,
  last_validated_at timestamptz
);

CREATE TABLE license_bindings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  license_id uuid NOT NULL REFERENCES licenses,
  ip_address inet NOT NULL,
  description text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT license_bindings_once UNIQUE (license_id, ip_address)
);
CREATE INDEX license_bindings_address ON license_bindings (ip_address);

-- Virtual servers ----------------------------------------------------------------------------------------

CREATE TABLE nodes (
  host text NOT NULL,
  name text NOT NULL,
  cores_total integer NOT NULL,
  cores_used integer NOT NULL DEFAULT 0 CHECK (cores_used >= 0),
  memory_total integer NOT NULL,
  memory_used integer NOT NULL DEFAULT 0 CHECK (memory_used >= 0),
  disk_total integer NOT NULL,
  disk_used integer NOT NULL DEFAULT 0 CHECK (disk_used >= 0),
  active boolean NOT NULL DEFAULT true,
  PRIMARY KEY (host, name)
) WITH (fillfactor = 50);

CREATE TABLE servers (
  id uuid PRIMARY KEY REFERENCES services,
  host text NOT NULL,
  node text NOT NULL,
  hostname text NOT NULL,
  os text NOT NULL,
  username text NOT NULL,
  password_sealed bytea,
  ssh_keys text[] NOT NULL DEFAULT '{}',
  user_data_sealed bytea,
  cores integer NOT NULL,
  memory integer NOT NULL,
  disk integer NOT NULL,
  uplink integer NOT NULL,
  backup_slots integer NOT NULL DEFAULT 0,
  generation integer NOT NULL DEFAULT 1,
  wanted_power text NOT NULL DEFAULT 'running' CHECK (wanted_power IN ('running', 'stopped', 'paused')),
  power_state text NOT NULL DEFAULT 'unknown' CHECK (power_state IN ('running', 'stopped', 'paused', 'unknown')),
  FOREIGN KEY (host, node) REFERENCES nodes
) WITH (fillfactor = 90);

-- One row per assignable address: an IPv4 address, or an IPv6 /64. `server_id` is the only link, so an
-- address cannot belong to two servers.
CREATE TABLE addresses (
  address inet PRIMARY KEY,
  family smallint NOT NULL CHECK (family IN (4, 6)),
  host text NOT NULL,
  gateway inet NOT NULL,
  state text NOT NULL CHECK (state IN ('free', 'assigned', 'quarantine', 'reserved')),
  server_id uuid REFERENCES servers DEFERRABLE INITIALLY DEFERRED,
  rdns text,
  released_at timestamptz,
  CONSTRAINT addresses_assigned CHECK ((state = 'assigned') = (server_id IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX addresses_free ON addresses (host, family, address) WHERE state = 'free';
CREATE INDEX addresses_server ON addresses (server_id) WHERE server_id IS NOT NULL;

-- Work ---------------------------------------------------------------------------------------------------

CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  type text NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  progress smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  step text,
  resource_type text NOT NULL,
  resource_id uuid NOT NULL,
  order_id uuid,
  error text,
  error_message text,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  CONSTRAINT tasks_finished CHECK ((state IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX tasks_account ON tasks (account_id, created_at);
CREATE INDEX tasks_resource ON tasks (resource_id, created_at);
CREATE INDEX tasks_unfinished ON tasks (created_at) WHERE finished_at IS NULL;

CREATE TABLE worker_heartbeats (
  worker_id text PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  seen_at timestamptz NOT NULL
);

CREATE TABLE discrepancies (
  id uuid PRIMARY KEY,
  backend text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  detail jsonb NOT NULL,
  found_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  resolved_at timestamptz
);
CREATE UNIQUE INDEX discrepancies_open ON discrepancies (backend, kind, subject) WHERE resolved_at IS NULL;

-- Wire ---------------------------------------------------------------------------------------------------

CREATE TABLE idempotency_keys (
  namespace text NOT NULL,
  key text NOT NULL,
  operation text NOT NULL,
  request_hash bytea NOT NULL,
  code smallint NOT NULL,
  answer_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Counters of the general rate limits: lost in a crash, which only forgives.
CREATE UNLOGGED TABLE rate_windows (
  bucket text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (bucket, window_start)
);

-- Attempts that are counted before the check (log-in, voucher, reset).
CREATE TABLE attempts (
  bucket text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (bucket, window_start)
);

CREATE TABLE signing_keys (
  id text PRIMARY KEY,
  public_key bytea NOT NULL,
  private_key_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  retired_at timestamptz
);

CREATE TABLE settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- What can be dropped is partitioned by month. The default partition catches a month that nobody prepared.

CREATE TABLE events (
  account_id uuid NOT NULL,
  sequence bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  resource_type text,
  resource_id uuid,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, sequence, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE events_default PARTITION OF events DEFAULT;

CREATE TABLE audit (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  account_id uuid,
  user_id uuid,
  token_id uuid,
  operation text NOT NULL,
  request_id uuid NOT NULL,
  ip inet,
  subject uuid,
  code smallint NOT NULL,
  input jsonb NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE audit_default PARTITION OF audit DEFAULT;
CREATE INDEX audit_account ON audit (account_id, created_at);

-- Runs with its owner's rights, since the application may not create tables. A month that the default partition
-- already holds rows of stays there.
CREATE FUNCTION ensure_month_partition(parent text, month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  partition text := format('%s_%s', parent, to_char(first, 'YYYYMM'));
  occupied boolean;
BEGIN
  IF parent NOT IN ('events', 'audit') THEN
    RAISE EXCEPTION 'not a partitioned table: %', parent;
  END IF;
  IF to_regclass(partition) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE created_at >= %L AND created_at < %L)',
    parent || '_default', first, first + interval '1 month') INTO occupied;
  IF occupied THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
    partition, parent, first, first + interval '1 month');
  EXECUTE format('GRANT SELECT, INSERT ON %I TO hostkeep_app', partition);
  RETURN true;
END $$;

-- Drops a month of a table as a whole: the only way that audit and events are ever removed.
CREATE FUNCTION drop_month_partition(parent text, month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  partition text := format('%s_%s', parent, to_char(month, 'YYYYMM'));
BEGIN
  IF parent NOT IN ('events', 'audit') OR to_regclass(partition) IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE %I', partition);
  RETURN true;
END $$;

-- The application's role: everything but the power to rewrite history. ------------------------------------

GRANT USAGE ON SCHEMA public TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO hostkeep_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO hostkeep_app;
REVOKE UPDATE, DELETE ON ledger_entries, ledger_postings, ledger_roots, catalog_versions, events, audit,
  events_default, audit_default FROM hostkeep_app;
REVOKE EXECUTE ON FUNCTION ensure_month_partition, drop_month_partition FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_month_partition, drop_month_partition TO hostkeep_app;
REVOKE DELETE ON accounts, orders, holds, services FROM hostkeep_app;
