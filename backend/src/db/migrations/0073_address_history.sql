-- Who had which address, and when: what an abuse report asks, often after the server is gone. The addresses themselves know
-- the present only. No foreign keys: a row is written before the server of the same order, and outlives it.
CREATE TABLE address_history (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- An IPv4 address, or an IPv6 network.
  address inet NOT NULL,
  server_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- When the server got it, and when it had it no more.
  created_at timestamptz NOT NULL,
  released_at timestamptz
);
CREATE INDEX address_history_address ON address_history USING gist (address inet_ops);
CREATE INDEX address_history_open ON address_history (server_id) WHERE released_at IS NULL;
CREATE INDEX address_history_account ON address_history (account_id, created_at, id);

-- Servers have had their addresses since they were ordered.
INSERT INTO address_history (address, server_id, account_id, created_at)
SELECT a.address, a.server_id, s.account_id, s.created_at FROM addresses a JOIN services s ON s.id = a.server_id;

GRANT SELECT, INSERT ON address_history TO hostkeep_app;
GRANT UPDATE (released_at) ON address_history TO hostkeep_app;

-- What operators look for by name. `domains` and `invoices` have theirs.
CREATE INDEX servers_hostname ON servers (lower(hostname));
CREATE INDEX webspace_domains_hostname ON webspace_domains (hostname);
CREATE INDEX addresses_rdns ON addresses (lower(rdns)) WHERE rdns IS NOT NULL;
CREATE INDEX address_names_rdns ON address_names (lower(rdns));
