-- What of the network a server's customer lets through; without a row, everything.

CREATE TABLE server_firewalls (
  server_id uuid PRIMARY KEY REFERENCES servers,
  policy_in text NOT NULL CHECK (policy_in IN ('accept', 'drop')),
  policy_out text NOT NULL CHECK (policy_out IN ('accept', 'drop')),
  -- In their order; the first that fits decides.
  rules jsonb NOT NULL,
  version integer NOT NULL CHECK (version > 1)
);
GRANT SELECT, INSERT, UPDATE ON server_firewalls TO hostkeep_app;

-- As the sandbox was told; null: nothing yet.
ALTER TABLE sandbox.machines ADD COLUMN firewall jsonb;
