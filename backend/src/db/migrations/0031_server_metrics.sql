-- What servers use: figures by steps of time, counters as they were last seen, and traffic by billing period.

-- One row for each server and step of 60, 300, 1800, 7200 or 86400 seconds in which anything was known; a sample is a
-- step of one minute. Of each figure how often it was known, its average, and the most that it was: missing is null,
-- never zero. By step, and within a step by time: partitions are made ahead and dropped as a whole, by a job.
CREATE TABLE server_metrics (
  step integer NOT NULL,
  server_id uuid NOT NULL,
  at timestamptz NOT NULL,
  cpu_n smallint NOT NULL,
  mem_n smallint NOT NULL,
  disk_n smallint NOT NULL,
  diskread_n smallint NOT NULL,
  diskwrite_n smallint NOT NULL,
  netin_n smallint NOT NULL,
  netout_n smallint NOT NULL,
  cpu_avg real,
  mem_avg real,
  disk_avg real,
  diskread_avg real,
  diskwrite_avg real,
  netin_avg real,
  netout_avg real,
  cpu_max real,
  mem_max real,
  disk_max real,
  diskread_max real,
  diskwrite_max real,
  netin_max real,
  netout_max real,
  PRIMARY KEY (step, server_id, at)
) PARTITION BY LIST (step);
CREATE TABLE server_metrics_60 PARTITION OF server_metrics FOR VALUES IN (60) PARTITION BY RANGE (at);
CREATE TABLE server_metrics_300 PARTITION OF server_metrics FOR VALUES IN (300) PARTITION BY RANGE (at);
CREATE TABLE server_metrics_1800 PARTITION OF server_metrics FOR VALUES IN (1800) PARTITION BY RANGE (at);
CREATE TABLE server_metrics_7200 PARTITION OF server_metrics FOR VALUES IN (7200) PARTITION BY RANGE (at);
CREATE TABLE server_metrics_86400 PARTITION OF server_metrics FOR VALUES IN (86400) PARTITION BY RANGE (at);

-- Until when the steps of a length are there: whoever comes with a sample of before is too late. null: none is.
CREATE TABLE server_roll_ups (
  step integer PRIMARY KEY,
  rolled_up_to timestamptz
);
INSERT INTO server_roll_ups (step) VALUES (300), (1800), (7200), (86400);

-- The newest sample of each server, with the counters as its hypervisor told them. Written every minute: the free
-- part of each page keeps the new version beside the old one, and out of the index.
CREATE TABLE server_meters (
  server_id uuid PRIMARY KEY REFERENCES servers,
  seen_at timestamptz NOT NULL,
  uptime bigint NOT NULL,
  cpu real,
  mem bigint,
  disk bigint,
  diskread bigint,
  diskwrite bigint,
  netin bigint,
  netout bigint
) WITH (fillfactor = 50);

-- Bytes by billing period. `included` is what was promised when it began; null: without limit.
CREATE TABLE server_traffic (
  server_id uuid NOT NULL REFERENCES servers,
  period_from timestamptz NOT NULL,
  period_to timestamptz NOT NULL CHECK (period_to > period_from),
  bytes_in bigint NOT NULL DEFAULT 0 CHECK (bytes_in >= 0),
  bytes_out bigint NOT NULL DEFAULT 0 CHECK (bytes_out >= 0),
  included bigint,
  exceeded_at timestamptz,
  PRIMARY KEY (server_id, period_to)
) WITH (fillfactor = 50);

ALTER TABLE servers
  -- Mbit/s until the period ends whose traffic is used up; null: its uplink is its own.
  ADD COLUMN throttled_to integer CHECK (throttled_to > 0);
CREATE INDEX servers_throttled ON servers (id) WHERE throttled_to IS NOT NULL;

-- Both run with their owner's rights, since the application may not create tables. Attaching does not wait for readers.
CREATE FUNCTION ensure_metric_partition(step integer, begins timestamptz, ends timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  parent text := format('server_metrics_%s', step);
  partition text := format('%s_%s', parent, to_char(begins, 'YYYYMMDDHH24'));
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN
    RETURN false;
  END IF;
  -- Two processes may come at once.
  PERFORM pg_advisory_xact_lock(hashtext('server_metrics partitions'));
  IF to_regclass(partition) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition, parent);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, begins, ends);
  RETURN true;
END $$;

-- Drops what ended before a moment. What somebody reads is left for the next time: nobody waits behind a drop.
CREATE FUNCTION drop_metric_partitions(step integer, span interval, before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  parent regclass := format('server_metrics_%s', step)::regclass;
  partition name;
  dropped integer := 0;
BEGIN
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = parent AND to_timestamp(right(c.relname, 10), 'YYYYMMDDHH24') + span <= before
  LOOP
    BEGIN
      EXECUTE format('DROP TABLE %I', partition);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
  RETURN dropped;
END $$;

GRANT SELECT, INSERT ON server_metrics TO hostkeep_app;
GRANT SELECT, UPDATE ON server_roll_ups TO hostkeep_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON server_meters, server_traffic TO hostkeep_app;
REVOKE EXECUTE ON FUNCTION ensure_metric_partition, drop_metric_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_metric_partition, drop_metric_partitions TO hostkeep_app;
