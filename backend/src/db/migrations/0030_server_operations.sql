-- What customers do with their servers once those are there.

ALTER TABLE servers
  -- The highest numbers that were given to an installation, a restart and a password: none is given twice, whatever
  -- became of it. `generation` is what the machine was last seen to have.
  ADD COLUMN generations integer NOT NULL DEFAULT 1,
  ADD COLUMN reboots integer NOT NULL DEFAULT 0,
  ADD COLUMN password_revision integer NOT NULL DEFAULT 0,
  -- What the customer does not want to happen by mistake.
  ADD COLUMN protect_delete boolean NOT NULL DEFAULT false,
  ADD COLUMN protect_reinstall boolean NOT NULL DEFAULT false;

-- What a task under way is to make of a server. The key lets no two work on one; the row goes with the work.
CREATE TABLE server_changes (
  server_id uuid PRIMARY KEY REFERENCES servers,
  task_id uuid NOT NULL UNIQUE REFERENCES tasks,
  -- By the type of the task, without secrets.
  wanted jsonb NOT NULL,
  secret_sealed bytea,
  -- When it stops waiting for the system in the machine; null: it does not wait for it.
  due_at timestamptz
);
CREATE INDEX server_changes_waiting ON server_changes (due_at) WHERE due_at IS NOT NULL;

-- By which customers name an address, or a network.
ALTER TABLE addresses ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE;

-- The names of single addresses in servers' IPv6 networks. Those of IPv4 addresses stand with the addresses.
CREATE TABLE address_names (
  address inet PRIMARY KEY CHECK (family(address) = 6 AND masklen(address) = 128),
  network inet NOT NULL REFERENCES addresses ON DELETE CASCADE,
  rdns text NOT NULL,
  CHECK (address << network)
);
CREATE INDEX address_names_network ON address_names (network);

-- Which version of a reverse zone name servers must have, so that who named an address sees the name.
CREATE TABLE address_name_tasks (
  task_id uuid PRIMARY KEY REFERENCES tasks,
  zone_id uuid NOT NULL REFERENCES zones,
  version integer NOT NULL
);

-- Keys that a customer installs servers with.
CREATE TABLE ssh_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  public_key text NOT NULL,
  fingerprint text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT ssh_keys_once UNIQUE (account_id, fingerprint)
);
CREATE INDEX ssh_keys_account ON ssh_keys (account_id, created_at, id);

-- The driver's own type says which faults there are.
ALTER TABLE sandbox.faults DROP CONSTRAINT faults_fault_check;

GRANT SELECT, INSERT, DELETE ON server_changes, address_name_tasks, ssh_keys TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON address_names TO hostkeep_app;
