import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import { commandJob } from '../../../work/job.ts';
import { webserverOf } from '../webspace-jobs.ts';
import { REMOVE_BACKUP } from './backups.ts';

interface UnwantedBackup {
  readonly id: string;
  readonly webspace_id: string;
  readonly host: string;
  readonly username: string;
}

const load = statement<UnwantedBackup>(
  'load_unwanted_backup',
  `SELECT b.id, b.webspace_id, w.host, w.username FROM webspace_backups b JOIN webspaces w ON w.id = b.webspace_id
   WHERE b.id = $1 AND (b.state = 'deleting' OR w.removed_at IS NOT NULL)`,
);
const remove = statement<object>('delete_webspace_backup', 'DELETE FROM webspace_backups WHERE id = $1');

/** Removes a backup that is one too many, or whose webspace is gone. */
export default commandJob({
  name: REMOVE_BACKUP,
  priority: 'bulk',
  payload: z.object({ backup_id: z.uuid() }),
  async load(db, _ctx, { backup_id }) {
    const [backup] = await db.run(load, [backup_id]);
    return backup ?? null;
  },
  command: (ports, { id, webspace_id: webspaceId, host, username }) =>
    ports.webserver.ensureBackupAbsent({ webspaceId, host, username }, id),
  backend: (backup) => webserverOf(backup),
  about: ({ webspace_id }) => ({ service_id: webspace_id }),
  accounts: () => [],
  async finish(tx, { log }, { id }, outcome) {
    if (outcome.kind === 'done') await tx.run(remove, [id]);
    else log.warn({ backup: id, reason: outcome.reason }, 'a web server refused to remove a backup');
  },
});
