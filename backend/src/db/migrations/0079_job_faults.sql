-- Jobs that raised errors which nothing caught, and so ended their process: after the second time within a day none runs
-- until an operator says so. A job is known by its name and key, since it may be enqueued again under another number.
CREATE TABLE job_faults (
  name text NOT NULL,
  key text NOT NULL,
  times integer NOT NULL CHECK (times > 0),
  last_at timestamptz NOT NULL,
  error text NOT NULL,
  PRIMARY KEY (name, key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_faults TO hostkeep_app;

-- Uses up the attempts of a job that its worker has taken and does not run: once it is given back it is dead.
CREATE FUNCTION set_job_aside(job_id bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE id = job_id;
END $$;
REVOKE EXECUTE ON FUNCTION set_job_aside(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_job_aside(bigint) TO hostkeep_app;
