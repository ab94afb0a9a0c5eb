-- Work that a back end keeps waiting: why, for the customer who waits for it, and what is tried again once it answers.

-- What went wrong when the task was last worked on, as a key of the texts; null: nothing did.
ALTER TABLE tasks ADD COLUMN trouble text;

-- Back ends of which a command had no outcome and none had one since.
CREATE TABLE failing_backends (
  name text PRIMARY KEY,
  reason text NOT NULL,
  since timestamptz NOT NULL,
  probes integer NOT NULL DEFAULT 0,
  probe_at timestamptz NOT NULL
);

-- The jobs that wait for them, as the queue has them.
CREATE TABLE failing_jobs (
  backend text NOT NULL,
  name text NOT NULL,
  payload jsonb NOT NULL,
  PRIMARY KEY (backend, name, payload)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON failing_backends TO hostkeep_app;
GRANT SELECT, INSERT, DELETE ON failing_jobs TO hostkeep_app;

-- The queue's tables are its owner's alone: what the application may do to a job that waits are these two things.

-- Tries the jobs that wait for a back end at once: each is due since it was made. One that runs at this moment may have
-- failed already without the queue knowing, so it goes on waiting for the next time.
CREATE FUNCTION hurry_jobs(backend_name text) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  hurried integer;
BEGIN
  WITH waiting AS MATERIALIZED (
    SELECT w.name, w.payload, j.id, j.locked_at IS NOT NULL AS runs
    FROM failing_jobs w LEFT JOIN graphile_worker._private_tasks t ON t.identifier = w.name
    LEFT JOIN graphile_worker._private_jobs j
      ON j.task_id = t.id AND j.payload::jsonb = w.payload AND j.attempts < j.max_attempts
    WHERE w.backend = backend_name),
  forgotten AS (
    DELETE FROM failing_jobs f WHERE f.backend = backend_name AND NOT EXISTS (
      SELECT FROM waiting w WHERE w.name = f.name AND w.payload = f.payload AND w.runs)),
  locked AS MATERIALIZED (
    SELECT id FROM graphile_worker._private_jobs
    WHERE id IN (SELECT id FROM waiting) AND locked_at IS NULL ORDER BY id FOR UPDATE SKIP LOCKED)
  UPDATE graphile_worker._private_jobs j SET run_at = least(j.run_at, j.created_at) FROM locked l WHERE l.id = j.id;
  GET DIAGNOSTICS hurried = ROW_COUNT;
  RETURN hurried;
END $$;

-- Brings jobs forward that failed and would otherwise sleep for longer than this, counted from when they failed.
CREATE FUNCTION cap_job_delay(seconds integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  longest interval := seconds * interval '1 second';
  capped integer;
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT id FROM graphile_worker._private_jobs
    WHERE locked_at IS NULL AND attempts BETWEEN 1 AND max_attempts - 1 AND run_at > updated_at + longest
    ORDER BY id FOR UPDATE SKIP LOCKED)
  UPDATE graphile_worker._private_jobs j SET run_at = j.updated_at + longest FROM locked l WHERE l.id = j.id;
  GET DIAGNOSTICS capped = ROW_COUNT;
  RETURN capped;
END $$;

REVOKE EXECUTE ON FUNCTION hurry_jobs(text), cap_job_delay(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hurry_jobs(text), cap_job_delay(integer) TO hostkeep_app;
