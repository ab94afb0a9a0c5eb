-- Whether a machine may not have been given yet what the books say of its uplink, and of what it reaches. Also what was
-- told before there were these columns, as far as it is known.
ALTER TABLE servers
  ADD COLUMN uplink_due boolean NOT NULL DEFAULT false,
  ADD COLUMN reach_due boolean NOT NULL DEFAULT false;
UPDATE servers SET uplink_due = true WHERE throttled_to IS NOT NULL AND removed_at IS NULL;
UPDATE servers v SET reach_due = true
WHERE v.removed_at IS NULL AND EXISTS (SELECT FROM addresses a WHERE a.server_id = v.id AND a.null_route IS NOT NULL);
CREATE INDEX servers_network_due ON servers (id) WHERE uplink_due OR reach_due;

-- What was installed on the disk that a backup is of; null: it was made before this was kept, and nobody can tell.
ALTER TABLE server_backups
  ADD COLUMN os text,
  ADD COLUMN hostname text,
  ADD COLUMN username text,
  ADD CONSTRAINT server_backups_installation CHECK ((os IS NULL) = (hostname IS NULL) AND (os IS NULL) = (username IS NULL));
UPDATE server_backups b SET os = v.os, hostname = v.hostname, username = v.username FROM servers v
WHERE v.id = b.server_id AND NOT EXISTS (
  SELECT FROM tasks t WHERE t.resource_id = v.id AND t.state = 'succeeded'
    AND (t.type = 'server.backup_restore' OR t.type = 'server.reinstall' AND t.finished_at > b.created_at));

-- Whether the system in the machine switched it off.
ALTER TABLE sandbox.machines ADD COLUMN powered_off boolean NOT NULL DEFAULT false;
