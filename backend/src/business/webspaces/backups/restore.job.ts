import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import type { SiteRef } from '../../../drivers/webserver/port.ts';
import { commandJob } from '../../../work/job.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { RESTORE, webserverOf } from '../webspace-jobs.ts';

interface Restore {
  readonly task_id: string;
  readonly backup_id: string;
  readonly webspace_id: string;
  readonly account_id: string;
  readonly host: string;
  readonly username: string;
}

const load = statement<Restore>(
  'load_restore',
  `SELECT r.task_id, r.backup_id, r.webspace_id, s.account_id, w.host, w.username
   FROM webspace_restores r JOIN tasks t ON t.id = r.task_id JOIN webspaces w ON w.id = r.webspace_id
   JOIN services s ON s.id = w.id
   WHERE r.task_id = $1 AND t.finished_at IS NULL`,
);
const lock = statement<object>(
  'lock_restore',
  'SELECT FROM tasks WHERE id = $1 AND finished_at IS NULL FOR NO KEY UPDATE',
);

/** Puts back what a backup holds; refused where the webspace is gone meanwhile. The task's id tells the back end whether it has done so already. */
export default commandJob({
  name: RESTORE,
  payload: z.object({ task_id: z.uuid() }),
  async load(db, _ctx, { task_id }) {
    const [restore] = await db.run(load, [task_id]);
    if (restore === undefined) return null;
    const { webspace_id: webspaceId, host, username } = restore;
    const site: SiteRef = { webspaceId, host, username };
    return { restore, site };
  },
  command: (ports, { restore, site }) =>
    ports.webserver.ensureRestored(site, restore.backup_id, restore.task_id),
  backend: ({ site }) => webserverOf(site),
  about: ({ restore }) => ({ service_id: restore.webspace_id, tasks: [restore.task_id] }),
  accounts: ({ restore }) => [restore.account_id],
  async finish(tx, { uow, log }, { restore }, outcome) {
    if ((await tx.run(lock, [restore.task_id])).length === 0) return;
    const refused = outcome.kind === 'refused';
    if (refused)
      log.warn({ task: restore.task_id, reason: outcome.reason }, 'a web server refused a restore');
    const resource = { type: 'webspace', id: restore.webspace_id };
    const task = { id: restore.task_id, accountId: restore.account_id, type: RESTORE, resource };
    finishTask(uow, task, refused ? 'backend_error' : null);
  },
});
