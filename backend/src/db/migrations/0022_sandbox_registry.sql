-- The books of the sandbox registry. Like the rest of the schema they stand for another system: reached over
-- connections of their own, committed by themselves, and no foreign key leads in or out.

CREATE TABLE sandbox.registry_registrars (
  name text PRIMARY KEY,
  -- For its EPP face.
  password text NOT NULL,
  -- What charges and refunds may come to before the registry refuses to charge more; null: no limit.
  credit_limit bigint CHECK (credit_limit >= 0)
);
INSERT INTO sandbox.registry_registrars (name, password)
VALUES ('hostkeep', 'hostkeep-sandbox'), ('rival', 'rival-sandbox');

CREATE TABLE sandbox.registry_contacts (
  handle text PRIMARY KEY,
  id bigint GENERATED ALWAYS AS IDENTITY,
  card jsonb NOT NULL,
  sponsor text NOT NULL REFERENCES sandbox.registry_registrars,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_by text,
  updated_at timestamptz
);

CREATE TABLE sandbox.registry_hosts (
  name text PRIMARY KEY,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The domain that it is below, where that is registered here: it goes with that domain.
  superordinate text,
  ipv4 text[] NOT NULL,
  ipv6 text[] NOT NULL,
  sponsor text NOT NULL REFERENCES sandbox.registry_registrars,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_by text,
  updated_at timestamptz
);
CREATE INDEX registry_hosts_superordinate ON sandbox.registry_hosts (superordinate);

CREATE TABLE sandbox.registry_domains (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  sponsor text NOT NULL REFERENCES sandbox.registry_registrars,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_by text,
  updated_at timestamptz,
  transferred_at timestamptz,
  -- null under TLDs whose registrations have no end.
  expire_at timestamptz,
  registrant text,
  -- [{role, handle}]
  contacts jsonb NOT NULL,
  hosts text[] NOT NULL,
  -- [{keyTag, algorithm, digestType, digest}]
  ds jsonb NOT NULL,
  client_statuses text[] NOT NULL,
  -- Those that the registry set by hand; what follows from dates is not stored.
  server_statuses text[] NOT NULL,
  authcode text,
  authcode_expire_at timestamptz,
  transfer_locked_until timestamptz,
  -- [{period, until, registrar, amount}]: what is paid back, to whom, if it is deleted before `until`.
  graces jsonb NOT NULL,
  -- In redemption, or waiting for its deletion after it, since then.
  deleted_at timestamptz,
  -- A restore waits for its report since then.
  restore_requested_at timestamptz,
  -- When something happens to it by itself next.
  due_at timestamptz
);
CREATE INDEX registry_domains_due ON sandbox.registry_domains (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX registry_domains_hosts ON sandbox.registry_domains USING gin (hosts);
CREATE INDEX registry_domains_registrant ON sandbox.registry_domains (registrant);
CREATE INDEX registry_domains_contacts ON sandbox.registry_domains USING gin (contacts jsonb_path_ops);

CREATE TABLE sandbox.registry_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  domain_id bigint NOT NULL REFERENCES sandbox.registry_domains ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('pending', 'clientApproved', 'clientRejected', 'clientCancelled',
    'serverApproved', 'serverCancelled')),
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  acted_by text NOT NULL,
  act_at timestamptz NOT NULL,
  years integer NOT NULL,
  -- What the gaining registrar pays once it is through, in ten-thousandths.
  amount bigint NOT NULL
);
CREATE INDEX registry_transfers_domain ON sandbox.registry_transfers (domain_id, id);
CREATE UNIQUE INDEX registry_transfers_pending ON sandbox.registry_transfers (domain_id) WHERE status = 'pending';

-- What registrars were charged, and paid back (negative), in ten-thousandths.
CREATE TABLE sandbox.registry_charges (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registrar text NOT NULL REFERENCES sandbox.registry_registrars,
  domain text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('create', 'renew', 'autorenew', 'transfer', 'restore', 'refund')),
  amount bigint NOT NULL,
  years integer NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX registry_charges_registrar ON sandbox.registry_charges (registrar);
CREATE INDEX registry_charges_domain ON sandbox.registry_charges (domain);

CREATE TABLE sandbox.registry_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registrar text NOT NULL REFERENCES sandbox.registry_registrars,
  at timestamptz NOT NULL,
  text text NOT NULL,
  about jsonb NOT NULL
);
CREATE INDEX registry_messages_registrar ON sandbox.registry_messages (registrar, id);

-- What is to go wrong: the next `remaining` calls of a command, by any registrar and for any domain, or for one.
CREATE TABLE sandbox.registry_faults (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  command text NOT NULL CHECK (command IN ('info', 'create', 'renew', 'query_transfer', 'request_transfer',
    'cancel_transfer', 'approve_transfer', 'reject_transfer', 'update', 'delete', 'restore', 'report', 'poll', 'acknowledge')),
  fault text NOT NULL CHECK (fault IN ('timeout_before', 'timeout_after', 'refuse', 'repeat')),
  remaining integer NOT NULL DEFAULT 1 CHECK (remaining >= 0),
  registrar text,
  domain text
);

GRANT SELECT, INSERT, UPDATE, DELETE ON
  sandbox.registry_contacts, sandbox.registry_hosts, sandbox.registry_domains, sandbox.registry_transfers,
  sandbox.registry_messages, sandbox.registry_faults
  TO hostkeep_app;
GRANT SELECT, UPDATE ON sandbox.registry_registrars TO hostkeep_app;
GRANT SELECT, INSERT ON sandbox.registry_charges TO hostkeep_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA sandbox TO hostkeep_app;
