-- Who runs jobs, and which minutes have been served.
--
-- A worker is known by the id that it locks jobs with. Beside the process's number stands when it started: numbers are
-- given again. Rows are of no use to another version of the program, which names its workers otherwise.
DELETE FROM worker_heartbeats;
ALTER TABLE worker_heartbeats ADD COLUMN started text NOT NULL DEFAULT '';

-- The last minute, by the database's clock, in which work on a schedule was enqueued: one of all workers does it.
CREATE TABLE schedules (
  name text PRIMARY KEY,
  last_minute timestamptz NOT NULL
);
GRANT SELECT ON schedules TO hostkeep_app;
