-- Zones that our name servers serve, as the books have them; jobs bring the name servers to what stands here.
CREATE TABLE zones (
  id uuid PRIMARY KEY,
  -- null: the operator's own, such as those of reverse names.
  domain_id uuid REFERENCES domains,
  -- Punycode, lower case, without the root's dot.
  name text NOT NULL,
  -- Counts every change; that of the last revision.
  version integer NOT NULL DEFAULT 1,
  revision_id uuid,
  default_ttl integer NOT NULL DEFAULT 3600,
  -- How many records there are, how many characters their RDATA has, and how many are ALIAS: kept, so that nothing has
  -- to be counted.
  records integer NOT NULL CHECK (records >= 0),
  characters integer NOT NULL CHECK (characters >= 0),
  aliases integer NOT NULL DEFAULT 0 CHECK (aliases >= 0),
  -- Host names that it is delegated to, the primary first.
  nameservers text[] NOT NULL,
  -- Where signing has come to (business/zones/dnssec.ts), whether its customer wants it, and when it goes on by itself.
  dnssec text NOT NULL DEFAULT 'off'
    CHECK (dnssec IN ('off', 'signing', 'delegating', 'on', 'withdrawing', 'waiting', 'unsigning')),
  dnssec_wanted boolean NOT NULL DEFAULT false,
  dnssec_due_at timestamptz,
  -- As the name server last said: whether it is signed, the parent's DS for it, the serial number.
  signed boolean NOT NULL DEFAULT false,
  ds jsonb NOT NULL DEFAULT '[]',
  serial bigint NOT NULL DEFAULT 0,
  -- The version that the primary has, and the one that was seen at the name servers: how many of them, and when.
  published_version integer NOT NULL DEFAULT 0,
  published_at timestamptz,
  visible_version integer NOT NULL DEFAULT 0,
  nameservers_current smallint NOT NULL DEFAULT 0,
  checked_at timestamptz,
  -- When to ask the name servers again; null: nothing is to be seen.
  check_at timestamptz,
  -- Above published_version: all of it is to be published, not only what zone_unpublished lists.
  whole_version integer NOT NULL DEFAULT 1,
  -- The run of the job that commands the name server now, and until when nobody else does.
  lease uuid,
  leased_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- When it goes, since its domain went; when it went from the books, and from the name server.
  remove_at timestamptz,
  removed_at timestamptz,
  gone_at timestamptz,
  CONSTRAINT zones_gone CHECK (gone_at IS NULL OR removed_at IS NOT NULL),
  CONSTRAINT zones_lease CHECK ((lease IS NULL) = (leased_until IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX zones_name_once ON zones (name) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX zones_domain_once ON zones (domain_id) WHERE removed_at IS NULL;
CREATE INDEX zones_leaving ON zones (name) WHERE removed_at IS NOT NULL AND gone_at IS NULL;
CREATE INDEX zones_check ON zones (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX zones_dnssec_due ON zones (dnssec_due_at) WHERE dnssec_due_at IS NOT NULL;
CREATE INDEX zones_remove ON zones (remove_at) WHERE remove_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX zones_behind ON zones (updated_at) WHERE published_version < version AND removed_at IS NULL;

CREATE TABLE zone_records (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones,
  -- Relative to the zone; its apex is @.
  name text NOT NULL,
  type text NOT NULL,
  -- RDATA without the numbers beside it, in its one presentation form.
  content text NOT NULL,
  ttl integer NOT NULL,
  priority integer,
  weight integer,
  port integer,
  disabled boolean NOT NULL,
  comment text,
  managed_by text NOT NULL CHECK (managed_by IN ('customer', 'system'))
);
CREATE INDEX zone_records_name ON zone_records (zone_id, name, type);
-- What points to a name; longer contents are none, and would not fit into an index.
CREATE INDEX zone_records_content ON zone_records (zone_id, content) WHERE length(content) <= 1024;

-- What became of a zone, one row for each version: {added, removed, changed: [{before, after}]}, of records as above.
CREATE TABLE zone_revisions (
  id uuid PRIMARY KEY,
  zone_id uuid NOT NULL REFERENCES zones,
  version integer NOT NULL,
  -- The person who asked for it; null: the system.
  user_id uuid,
  comment text,
  diff jsonb NOT NULL,
  -- Whether signing was asked for with it, or its end.
  dnssec boolean,
  -- Whoever watches it being published.
  task_id uuid,
  created_at timestamptz NOT NULL,
  UNIQUE (zone_id, version)
);
CREATE INDEX zone_revisions_created ON zone_revisions (created_at);

-- The record sets that name servers do not have as the books do, in the way that records name them.
CREATE TABLE zone_unpublished (
  zone_id uuid NOT NULL REFERENCES zones,
  name text NOT NULL,
  type text NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (zone_id, name, type)
);

-- What the zones of domains begin with that are being transferred to us: none is served before they are (rule F2).
CREATE TABLE zone_drafts (
  domain_id uuid PRIMARY KEY REFERENCES domains,
  user_id uuid,
  -- As requests write records, an array of {name, type, content, ttl, …}.
  records jsonb NOT NULL
);

-- The addresses that ALIAS records were published as.
CREATE TABLE zone_aliases (
  zone_id uuid NOT NULL REFERENCES zones,
  name text NOT NULL,
  target text NOT NULL,
  addresses text[] NOT NULL,
  -- When to look them up again.
  due_at timestamptz NOT NULL,
  PRIMARY KEY (zone_id, name)
);
CREATE INDEX zone_aliases_due ON zone_aliases (due_at);

GRANT SELECT, INSERT, UPDATE ON zones TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON zone_records, zone_unpublished, zone_aliases, zone_drafts TO hostkeep_app;
-- A revision is what was: nothing about it changes, but the oldest are forgotten.
GRANT SELECT, INSERT, DELETE ON zone_revisions TO hostkeep_app;
