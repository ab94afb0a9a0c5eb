-- The sandbox name server's own books. They stand for another system, as those of 0002 do: the driver reaches them
-- over connections of its own and commits by itself. No foreign key leads out of this schema, and none leads in.

CREATE TABLE sandbox.dns_zones (
  -- In punycode and lower case, without the root's dot.
  zone text PRIMARY KEY,
  -- Grows with each change (RFC 1982); SOA and apex NS are made of it and of the name servers when they are asked for.
  serial bigint NOT NULL CHECK (serial BETWEEN 0 AND 4294967295),
  nameservers text[] NOT NULL,
  -- PKCS #8, P-256; null: not signed. In clear: a sandbox has nothing that anyone should trust.
  signing_key bytea,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL
);

CREATE TABLE sandbox.dns_rrsets (
  zone text NOT NULL REFERENCES sandbox.dns_zones ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  ttl integer NOT NULL CHECK (ttl >= 0),
  -- RDATA in one presentation form, sorted.
  records text[] NOT NULL CHECK (records <> '{}'),
  PRIMARY KEY (zone, name, type)
);

-- What is to go wrong: the next `remaining` calls of a command, with any zone or with one. Insert a row from any session:
--   INSERT INTO sandbox.dns_faults (command, fault, zone) VALUES ('ensure_rrsets', 'timeout_after', 'example.com');
CREATE TABLE sandbox.dns_faults (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  command text NOT NULL
    CHECK (command IN ('ensure_zone', 'ensure_rrsets', 'ensure_dnssec', 'ensure_absent', 'zone', 'publication', 'list')),
  fault text NOT NULL CHECK (fault IN ('timeout_before', 'timeout_after', 'refuse')),
  remaining integer NOT NULL DEFAULT 1 CHECK (remaining >= 0),
  zone text
);

GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.dns_zones, sandbox.dns_rrsets, sandbox.dns_faults TO hostkeep_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA sandbox TO hostkeep_app;
