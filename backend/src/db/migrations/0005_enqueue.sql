-- Enqueueing that no worker can make undone.
--
-- The queue's own add_jobs takes its key from a job that runs, then adds the new one, where an unlocked job of the same
-- key is brought up to date instead. A worker may lock that job between the two: then nothing is added, and the run
-- that has begun may have read what the caller is only about to commit. It says so by a row less; a second call sees
-- the job as running. (Functions that are volatile see, statement by statement, what was committed meanwhile.)

CREATE FUNCTION enqueue_jobs(names text[], payloads json[], keys text[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  added integer;
BEGIN
  LOOP
    SELECT count(*) INTO added FROM graphile_worker.add_jobs(ARRAY(
      SELECT (name, payload, NULL, NULL, NULL, key, NULL, NULL)::graphile_worker.job_spec
      FROM unnest(names, payloads, keys) u(name, payload, key)));
    EXIT WHEN added = cardinality(names);
  END LOOP;
END $$;
