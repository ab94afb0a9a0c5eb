-- Webspaces: where they are, what they are to be, what they use.

-- A host of the catalogue that carries webspaces, and what of it is sold. Disk in MiB.
CREATE TABLE web_hosts (
  name text PRIMARY KEY,
  webspaces_total integer NOT NULL,
  webspaces_used integer NOT NULL DEFAULT 0 CHECK (webspaces_used >= 0),
  disk_total bigint NOT NULL,
  disk_used bigint NOT NULL DEFAULT 0 CHECK (disk_used >= 0),
  active boolean NOT NULL DEFAULT true,
  -- Of its SFTP server's host keys, as its driver reported them last.
  sftp_fingerprints text[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);

-- Numbers of system users. Never used twice, so a file that was left behind belongs to nobody.
CREATE SEQUENCE webspace_uids AS integer START 200000;

CREATE TABLE webspaces (
  id uuid PRIMARY KEY REFERENCES services,
  host text NOT NULL REFERENCES web_hosts,
  uid integer NOT NULL UNIQUE DEFAULT nextval('webspace_uids'),
  username text NOT NULL CHECK (username ~ '^[a-z][a-z0-9]{2,15}$'),
  php_version text NOT NULL,
  -- What it may use, in MiB; reserved on its host.
  disk integer NOT NULL CHECK (disk > 0),
  -- A password that the back end does not have yet.
  password_sealed bytea,
  -- As they were last seen.
  disk_used integer NOT NULL DEFAULT 0,
  inodes_used bigint,
  sampled_at timestamptz,
  -- Whether its customer was told that the disk is nearly full.
  warned boolean NOT NULL DEFAULT false,
  removed_at timestamptz
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX webspaces_username ON webspaces (username) WHERE removed_at IS NULL;
CREATE INDEX webspaces_host ON webspaces (host) WHERE removed_at IS NULL;

-- Host names of webspaces. Anyone may claim any; only one claim of a name can be proven (rule H1).
CREATE TABLE webspace_domains (
  id uuid PRIMARY KEY,
  webspace_id uuid NOT NULL REFERENCES webspaces,
  hostname text NOT NULL,
  document_root text NOT NULL,
  -- provider: a name that every webspace gets; account: the domain is in the account; txt: by a record.
  proof text CHECK (proof IN ('provider', 'account', 'txt')),
  proven_at timestamptz,
  challenge text NOT NULL,
  tls_state text NOT NULL DEFAULT 'none' CHECK (tls_state IN ('none', 'pending', 'active', 'failed')),
  tls_expire_at timestamptz,
  -- When its certificate is to be ordered, renewed or tried for again; null: not at all.
  tls_due_at timestamptz,
  tls_failures integer NOT NULL DEFAULT 0,
  tls_problem text,
  created_at timestamptz NOT NULL,
  CONSTRAINT webspace_domains_proven CHECK ((proof IS NULL) = (proven_at IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX webspace_domains_once ON webspace_domains (webspace_id, hostname);
CREATE UNIQUE INDEX webspace_domains_proven_once ON webspace_domains (hostname) WHERE proven_at IS NOT NULL;
CREATE INDEX webspace_domains_due ON webspace_domains (tls_due_at) WHERE tls_due_at IS NOT NULL;

-- First certificates of names, which authorities count per registered domain and week; names may be gone since.
CREATE TABLE certificate_orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hostname text NOT NULL,
  registered_domain text NOT NULL,
  ordered_at timestamptz NOT NULL
);
CREATE INDEX certificate_orders_counted ON certificate_orders (registered_domain, ordered_at);

CREATE TABLE webspace_databases (
  id uuid PRIMARY KEY,
  webspace_id uuid NOT NULL REFERENCES webspaces,
  -- The database's and its user's name.
  name text NOT NULL,
  -- A password that the back end does not have yet.
  password_sealed bytea,
  created_at timestamptz NOT NULL,
  -- Unwanted from then on; the row goes with the database.
  deleted_at timestamptz
);
CREATE UNIQUE INDEX webspace_databases_once ON webspace_databases (webspace_id, name);

CREATE TABLE webspace_sftp_keys (
  id uuid PRIMARY KEY,
  webspace_id uuid NOT NULL REFERENCES webspaces,
  name text NOT NULL,
  public_key text NOT NULL,
  fingerprint text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX webspace_sftp_keys_once ON webspace_sftp_keys (webspace_id, fingerprint);

CREATE TABLE webspace_backups (
  id uuid PRIMARY KEY,
  webspace_id uuid NOT NULL REFERENCES webspaces,
  kind text NOT NULL CHECK (kind IN ('manual', 'scheduled')),
  state text NOT NULL CHECK (state IN ('pending', 'available', 'failed', 'deleting')),
  task_id uuid REFERENCES tasks,
  size_bytes bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX webspace_backups_webspace ON webspace_backups (webspace_id, created_at);

-- A restore that was asked for; the task's id keeps its repetition from happening twice.
CREATE TABLE webspace_restores (
  task_id uuid PRIMARY KEY REFERENCES tasks,
  webspace_id uuid NOT NULL REFERENCES webspaces,
  backup_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);

-- One row a day (UTC). Disk in MiB as it was last seen that day.
CREATE TABLE webspace_usage (
  webspace_id uuid NOT NULL REFERENCES webspaces,
  day date NOT NULL,
  disk integer NOT NULL DEFAULT 0,
  database_bytes bigint NOT NULL DEFAULT 0,
  traffic_bytes bigint NOT NULL DEFAULT 0,
  requests bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (webspace_id, day)
) WITH (fillfactor = 80);

GRANT SELECT, INSERT, UPDATE ON web_hosts, webspaces, webspace_usage TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON webspace_domains, webspace_databases, webspace_sftp_keys, webspace_backups,
  webspace_restores TO hostkeep_app;
GRANT SELECT, INSERT, DELETE ON certificate_orders TO hostkeep_app;
GRANT USAGE ON SEQUENCE webspace_uids TO hostkeep_app;

-- The sandbox web server's own books: see 0002_sandbox.sql.
CREATE TABLE sandbox.sites (
  webspace_id uuid PRIMARY KEY,
  host text NOT NULL,
  username text NOT NULL,
  suspended boolean NOT NULL DEFAULT false,
  login_hash bytea,
  php_version text NOT NULL,
  disk integer NOT NULL,
  hostnames text[] NOT NULL,
  sftp_keys text[] NOT NULL,
  certificates text[] NOT NULL DEFAULT '{}',
  files text[] NOT NULL DEFAULT '{}',
  restored uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);
CREATE INDEX sites_host ON sandbox.sites (host);
CREATE TABLE sandbox.site_databases (
  webspace_id uuid NOT NULL REFERENCES sandbox.sites ON DELETE CASCADE,
  name text NOT NULL,
  login_hash bytea,
  PRIMARY KEY (webspace_id, name)
);
-- They leave the host, so they outlive their site.
CREATE TABLE sandbox.site_backups (
  webspace_id uuid NOT NULL,
  backup_id uuid NOT NULL,
  files text[] NOT NULL,
  PRIMARY KEY (webspace_id, backup_id)
);
-- What the sandbox's name servers answer; `type` is A, AAAA, CAA or TXT.
CREATE TABLE sandbox.names (
  name text NOT NULL,
  type text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (name, type, value)
);

ALTER TABLE sandbox.faults DROP CONSTRAINT faults_command_check;
ALTER TABLE sandbox.faults ADD CONSTRAINT faults_command_check CHECK (command IN ('ensure_machine', 'ensure_power',
  'ensure_absent', 'list', 'status', 'ensure_site', 'ensure_site_suspended', 'ensure_site_absent', 'ensure_database',
  'ensure_database_absent', 'ensure_certificate', 'ensure_backup', 'ensure_backup_absent', 'ensure_restored',
  'site_status', 'site_logs', 'site_usage', 'site_list'));

GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.sites, sandbox.site_databases, sandbox.site_backups, sandbox.names
  TO hostkeep_app;
