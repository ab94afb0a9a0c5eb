-- What the sandbox hypervisor keeps for reboots, passwords, snapshots and backups.

ALTER TABLE sandbox.machines
  ADD COLUMN reboots integer NOT NULL DEFAULT 0,
  ADD COLUMN password_revision integer NOT NULL DEFAULT 0,
  -- Restores that were carried out.
  ADD COLUMN restores uuid[] NOT NULL DEFAULT '{}';

-- The files of a disk as they were: beside it (a snapshot), or away from it (a backup).
CREATE TABLE sandbox.disk_copies (
  server_id uuid NOT NULL REFERENCES sandbox.machines ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('snapshot', 'backup')),
  id uuid NOT NULL,
  files text[] NOT NULL,
  taken_at timestamptz NOT NULL,
  PRIMARY KEY (server_id, kind, id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.disk_copies TO hostkeep_app;

-- Each driver's own types say which commands it has.
ALTER TABLE sandbox.faults DROP CONSTRAINT faults_command_check;
