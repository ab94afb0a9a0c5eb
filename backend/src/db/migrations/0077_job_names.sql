-- What waits in the queue under the names that jobs had before waits under those of today: no worker takes up a job whose
-- name it does not know. The old ones' tasks stay, for workers of the version before, which go on until they end.
DO $$
DECLARE
  renamed record;
BEGIN
  FOR renamed IN SELECT * FROM (VALUES
    ('domain.enforce', 'domain.converge'),
    ('server.enforce', 'server.converge'),
    ('server.reach', 'server.network_access'),
    ('server.stranded', 'server.orphaned'),
    ('service.life', 'service.lifecycle'),
    ('webspace.enforce', 'webspace.converge'),
    ('webspace.stranded', 'webspace.orphaned')) names (before, today)
  LOOP
    CONTINUE WHEN NOT EXISTS (SELECT FROM graphile_worker._private_tasks WHERE identifier = renamed.before);
    INSERT INTO graphile_worker._private_tasks (identifier) VALUES (renamed.today) ON CONFLICT (identifier) DO NOTHING;
    -- The same work may wait under both names.
    UPDATE graphile_worker._private_jobs j SET
      task_id = today.id,
      key = CASE WHEN j.key = before.identifier THEN today.identifier
        WHEN starts_with(j.key, before.identifier || ':') THEN today.identifier || substr(j.key, length(before.identifier) + 1)
        ELSE j.key END
    FROM graphile_worker._private_tasks before, graphile_worker._private_tasks today
    WHERE before.identifier = renamed.before AND today.identifier = renamed.today AND j.task_id = before.id
      AND j.locked_at IS NULL
      AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs same WHERE same.key =
        today.identifier || substr(j.key, length(before.identifier) + 1));
  END LOOP;
END $$;
