-- Only what fails for an unexpected reason dies, and what is dead is shown, retried or dropped.
--
-- The queue's tables are their owner's alone: what the application may do with a job are these functions.

-- A run ended without an outcome for a reason that was to be expected, such as a back end that is still working: it uses up
-- no attempts beyond those by which the delay grows. A job without a key has a successor and is left to end.
CREATE FUNCTION spare_attempts(job_id bigint, kept integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE graphile_worker._private_jobs SET attempts = least(attempts, kept)
  WHERE id = job_id AND key IS NOT NULL AND attempts > kept;
END $$;

-- When a job is enqueued whose last run is under way, or is dead, the queue takes the key from that row and uses up its
-- attempts: the new one has taken its place. What failed thereafter is no dead job.
CREATE FUNCTION forget_superseded_jobs() RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM graphile_worker._private_jobs WHERE id IN (
    SELECT id FROM graphile_worker._private_jobs
    WHERE key IS NULL AND locked_at IS NULL AND attempts >= max_attempts ORDER BY id FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

-- Enqueues a job for later, by the queue's own clock: it is due when it is made, and is put off in the same transaction. One
-- of its key that waits already keeps its time.
CREATE FUNCTION enqueue_later(job_name text, job_payload json, job_key text, seconds double precision) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  added_id bigint;
  added_revision integer;
BEGIN
  LOOP
    SELECT a.id, a.revision INTO added_id, added_revision FROM graphile_worker.add_jobs(ARRAY[
      (job_name, job_payload, NULL, NULL, NULL, job_key, NULL, NULL)::graphile_worker.job_spec], true) a;
    -- Nothing is added when a worker takes the job of this key at this moment (see enqueue_jobs).
    EXIT WHEN FOUND;
  END LOOP;
  UPDATE graphile_worker._private_jobs j SET run_at = j.run_at + seconds * interval '1 second'
  WHERE j.id = added_id AND added_revision = 0;
END $$;

-- What is in the queue. A row without a key that is dead has a successor, and is about to be forgotten.
CREATE FUNCTION queued_jobs() RETURNS TABLE (
  id bigint, name text, key text, state text, payload json, attempts integer, max_attempts integer,
  run_at timestamptz, created_at timestamptz, error text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT j.id, t.identifier, j.key,
    CASE WHEN j.locked_at IS NOT NULL THEN 'running' WHEN j.attempts < j.max_attempts THEN 'waiting' ELSE 'dead' END,
    j.payload, j.attempts::integer, j.max_attempts::integer, j.run_at, j.created_at, j.last_error
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE j.key IS NOT NULL OR j.locked_at IS NOT NULL OR j.attempts < j.max_attempts;
END $$;

-- Locks a job for the rest of the transaction: no worker takes it meanwhile.
CREATE FUNCTION lock_job(job_id bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM graphile_worker._private_jobs j WHERE j.id = job_id FOR UPDATE;
END $$;

-- Begins a job that does not run anew: all attempts, and due since it was made.
CREATE FUNCTION retry_job(job_id bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE graphile_worker._private_jobs j SET attempts = 0, run_at = least(j.run_at, j.created_at)
  WHERE j.id = job_id AND j.locked_at IS NULL AND (j.key IS NOT NULL OR j.attempts < j.max_attempts);
  RETURN FOUND;
END $$;

-- Only a dead job can be dropped.
CREATE FUNCTION drop_dead_job(job_id bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM graphile_worker._private_jobs j
  WHERE j.id = job_id AND j.locked_at IS NULL AND j.attempts >= j.max_attempts;
  RETURN FOUND;
END $$;

REVOKE EXECUTE ON FUNCTION spare_attempts(bigint, integer), forget_superseded_jobs(),
  enqueue_later(text, json, text, double precision), queued_jobs(), lock_job(bigint), retry_job(bigint),
  drop_dead_job(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spare_attempts(bigint, integer), forget_superseded_jobs(),
  enqueue_later(text, json, text, double precision), queued_jobs(), lock_job(bigint), retry_job(bigint),
  drop_dead_job(bigint) TO hostkeep_app;
