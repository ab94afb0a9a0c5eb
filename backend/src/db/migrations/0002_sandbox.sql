-- The sandbox hypervisor's own books. They stand for another system: the driver reaches them over connections
-- of its own and commits by itself, so they survive a crash of ours and can be compared with our books.
-- No foreign key leads out of this schema, and none leads in.

CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE sandbox.machines (
  server_id uuid PRIMARY KEY,
  host text NOT NULL,
  node text NOT NULL,
  generation integer NOT NULL,
  -- How often a disk was written from an image: 1 after any number of repeated commands.
  installs integer NOT NULL DEFAULT 1,
  -- The names of the files that are on the disk.
  files text[] NOT NULL DEFAULT '{}',
  hostname text NOT NULL,
  image text NOT NULL,
  username text NOT NULL,
  login_hash bytea,
  user_data_digest bytea,
  ssh_keys text[] NOT NULL,
  cores integer NOT NULL,
  memory integer NOT NULL,
  disk integer NOT NULL,
  uplink integer NOT NULL,
  ipv4 inet[] NOT NULL,
  ipv6 inet[] NOT NULL,
  power text NOT NULL CHECK (power IN ('running', 'stopped', 'paused')),
  booted_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT machines_booted CHECK ((power = 'stopped') = (booted_at IS NULL))
);
CREATE INDEX machines_host ON sandbox.machines (host);

-- What is to go wrong: the next `remaining` calls of a command, on any machine, or on one host or machine.
-- Insert a row from any session:
--   INSERT INTO sandbox.faults (command, fault, remaining) VALUES ('ensure_machine', 'timeout_after', 3);
CREATE TABLE sandbox.faults (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  command text NOT NULL CHECK (command IN ('ensure_machine', 'ensure_power', 'ensure_absent', 'list', 'status')),
  fault text NOT NULL CHECK (fault IN ('slow', 'timeout_before', 'timeout_after', 'refuse', 'repeat')),
  remaining integer NOT NULL DEFAULT 1 CHECK (remaining >= 0),
  delay_ms integer NOT NULL DEFAULT 0 CHECK (delay_ms >= 0),
  host text,
  server_id uuid
);

-- Nodes that do not answer for as long as they are listed here.
CREATE TABLE sandbox.outages (
  host text NOT NULL,
  node text NOT NULL,
  PRIMARY KEY (host, node)
);

GRANT USAGE ON SCHEMA sandbox TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA sandbox TO hostkeep_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA sandbox TO hostkeep_app;
