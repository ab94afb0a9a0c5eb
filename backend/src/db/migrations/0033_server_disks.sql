-- Copies of servers' disks. A row is there before its copy is, and until the copy is gone.

CREATE TABLE server_snapshots (
  id uuid PRIMARY KEY,
  server_id uuid NOT NULL REFERENCES servers,
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'available', 'deleting')),
  created_at timestamptz NOT NULL,
  taken_at timestamptz,
  CONSTRAINT server_snapshots_taken CHECK (state <> 'available' OR taken_at IS NOT NULL)
);
CREATE INDEX server_snapshots_server ON server_snapshots (server_id, created_at);
CREATE INDEX server_snapshots_deleting ON server_snapshots (id) WHERE state = 'deleting';

CREATE TABLE server_backups (
  id uuid PRIMARY KEY,
  server_id uuid NOT NULL REFERENCES servers,
  kind text NOT NULL CHECK (kind IN ('manual', 'scheduled')),
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'available', 'deleting')),
  size_bytes bigint,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT server_backups_finished CHECK (state <> 'available' OR (finished_at IS NOT NULL AND size_bytes IS NOT NULL))
);
CREATE INDEX server_backups_server ON server_backups (server_id, created_at);
CREATE INDEX server_backups_deleting ON server_backups (id) WHERE state = 'deleting';

-- When servers are backed up by themselves. `due_at` is the next time, with a delay of the server's own.
CREATE TABLE server_backup_schedules (
  server_id uuid PRIMARY KEY REFERENCES servers,
  -- UTC; 1 is Monday, and null is every day.
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  weekday smallint CHECK (weekday BETWEEN 1 AND 7),
  keep integer NOT NULL CHECK (keep > 0),
  due_at timestamptz NOT NULL
);
CREATE INDEX server_backup_schedules_due ON server_backup_schedules (due_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON server_snapshots, server_backups, server_backup_schedules TO hostkeep_app;

-- What the file systems of the sandbox's nodes have left, where it is not plenty. GiB.
CREATE TABLE sandbox.full_nodes (
  host text NOT NULL,
  node text NOT NULL,
  disk integer NOT NULL,
  disk_free integer NOT NULL,
  PRIMARY KEY (host, node)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.full_nodes TO hostkeep_app;

-- What of the network a server reaches, beside what every server is kept from. Operators decide it.
ALTER TABLE servers ADD COLUMN mail_open boolean NOT NULL DEFAULT false;
-- Why nothing comes to or from the address; null: it does.
ALTER TABLE addresses ADD COLUMN null_route text;
ALTER TABLE sandbox.machines
  ADD COLUMN mail boolean NOT NULL DEFAULT false,
  ADD COLUMN null_routed inet[] NOT NULL DEFAULT '{}';
