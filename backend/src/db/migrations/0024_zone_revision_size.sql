-- How large what became of a zone is, of one revision and of all that are kept: nothing has to be summed up to see whose
-- history is to be cut.
ALTER TABLE zone_revisions ADD COLUMN octets integer NOT NULL DEFAULT 0 CHECK (octets >= 0);
ALTER TABLE zones ADD COLUMN history_octets bigint NOT NULL DEFAULT 0 CHECK (history_octets >= 0);
-- No catalogue bounds it below a MiB, so zones of everyday size are not in it.
CREATE INDEX zones_history ON zones (id) WHERE history_octets > 1048576;
