-- What a person waits for goes first, and no account takes all the workers.
--
-- Beside enqueue_jobs of before, which programs of the version before call and which puts everything first.

CREATE INDEX tasks_open ON tasks (account_id, type) WHERE finished_at IS NULL;

-- A job of an account goes behind as many others of its priority as the account has open tasks of that type, 500 at most:
-- the first of one account comes before the 500th of another. The tasks of these jobs have been written before, so that
-- they are counted, and jobs of one call go one behind the other. A job that is enqueued again goes as early as it would have.
CREATE FUNCTION enqueue_jobs(names text[], payloads json[], keys text[], priorities integer[], accounts uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE
-- The queue may be empty when a connection plans these statements and long when it runs them.
SET enable_seqscan = off AS $$
DECLARE
  added integer;
  ranked integer[] := priorities;
BEGIN
  -- Most calls are about no account: they count nothing.
  IF num_nonnulls(VARIADIC accounts) > 0 THEN
    WITH queued AS MATERIALIZED (
      SELECT at, name, priority, account, row_number() OVER same - 1 AS before
      FROM unnest(names, priorities, accounts) WITH ORDINALITY u(name, priority, account, at)
      WINDOW same AS (PARTITION BY account, name ORDER BY at)),
    groups AS (
      SELECT account, name, count(*) AS jobs FROM queued WHERE account IS NOT NULL GROUP BY account, name),
    open AS MATERIALIZED (
      SELECT account, name, greatest(t.tasks - jobs, 0) AS earlier FROM groups CROSS JOIN LATERAL (
        SELECT count(*) AS tasks FROM (
          SELECT FROM tasks WHERE account_id = account AND type = name AND finished_at IS NULL LIMIT 500 + jobs) x) t)
    SELECT array_agg(q.priority + coalesce(least(o.earlier + q.before, 500), 0)::integer ORDER BY q.at) INTO ranked
    FROM queued q LEFT JOIN open o ON o.account = q.account AND o.name = q.name;
  END IF;
  LOOP
    SELECT count(*) INTO added FROM graphile_worker.add_jobs(ARRAY(
      SELECT (name, payload, NULL, NULL, NULL, u.key, least(u.priority, (
          SELECT j.priority FROM graphile_worker.jobs j WHERE j.key = u.key AND j.locked_at IS NULL)), NULL)::graphile_worker.job_spec
      FROM unnest(names, payloads, keys, ranked) u(name, payload, key, priority)));
    EXIT WHEN added = cardinality(names);
  END LOOP;
END $$;

-- Gives back a job that its worker has not begun: to the place that it had, without an attempt, marked with what it waits
-- for. It becomes another row, since the worker ends the one that it took. A job that was enqueued again meanwhile, which
-- took its key and attempts, stays: the other one does its work. False: the worker does not hold it any more.
CREATE FUNCTION give_back_job(job_id bigint, worker text, waits_for text) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
  WITH held AS MATERIALIZED (
    SELECT id, key IS NULL AND attempts >= max_attempts AS replaced FROM graphile_worker._private_jobs
    WHERE id = job_id AND locked_by = worker FOR UPDATE),
  given_back AS (
    UPDATE graphile_worker._private_jobs j
    SET id = DEFAULT, locked_at = NULL, locked_by = NULL, attempts = greatest(j.attempts - 1, 0),
      flags = jsonb_build_object(waits_for, true)
    FROM held WHERE j.id = held.id AND NOT held.replaced)
  SELECT EXISTS (SELECT FROM held)
$$;
REVOKE EXECUTE ON FUNCTION give_back_job(bigint, text, text) FROM PUBLIC;
