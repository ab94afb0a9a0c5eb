import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import type { SiteRef } from '../../../drivers/webserver/port.ts';
import { commandJob } from '../../../work/job.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { BACKUP, push, webserverOf } from '../webspace-jobs.ts';
import { backupRemovalJob, finishBackup, outdateBackups } from './backups.ts';

interface PendingBackup {
  readonly id: string;
  readonly webspace_id: string;
  readonly account_id: string;
  readonly task_id: string | null;
  readonly host: string;
  readonly username: string;
  readonly item: string;
}

const COLUMNS = `b.id, b.webspace_id, s.account_id, b.task_id, w.host, w.username, s.item
  FROM webspace_backups b JOIN webspaces w ON w.id = b.webspace_id JOIN services s ON s.id = w.id
  WHERE b.id = $1 AND b.state = 'pending'`;
const load = statement<PendingBackup>('load_pending_backup', `SELECT ${COLUMNS}`);
const lock = statement<PendingBackup>('lock_pending_backup', `SELECT ${COLUMNS} FOR UPDATE OF b`);

/** Copies a webspace away from its host; then the oldest copies go that are more than its package keeps. */
export default commandJob({
  name: BACKUP,
  payload: z.object({ backup_id: z.uuid() }),
  async load(db, ctx, { backup_id }) {
    const [backup] = await db.run(load, [backup_id]);
    if (backup === undefined) return null;
    const site: SiteRef = { webspaceId: backup.webspace_id, host: backup.host, username: backup.username };
    return {
      backup,
      site,
      kept: ctx.catalogs.current().webspacePackages.get(backup.item)?.limits.backups ?? 1,
    };
  },
  command: (ports, { backup, site }) => ports.webserver.ensureBackup(site, backup.id),
  backend: ({ site }) => webserverOf(site),
  about: ({ backup: { webspace_id, task_id } }) => ({
    service_id: webspace_id,
    tasks: task_id === null ? [] : [task_id],
  }),
  accounts: ({ backup }) => [backup.account_id],
  async finish(tx, { uow, log }, { backup, kept }, outcome) {
    const [pending] = await tx.run(lock, [backup.id]);
    if (pending === undefined) return;
    const refused = outcome.kind === 'refused';
    if (refused) log.warn({ backup: backup.id, reason: outcome.reason }, 'a web server refused a backup');
    await finishBackup(tx, backup.id, refused ? null : outcome.result.sizeBytes, uow.now);
    if (!refused) {
      for (const id of await outdateBackups(tx, backup.webspace_id, kept)) push(uow, backupRemovalJob(id));
    }
    if (pending.task_id === null) return;
    const resource = { type: 'webspace', id: backup.webspace_id };
    const task = { id: pending.task_id, accountId: backup.account_id, type: BACKUP, resource };
    finishTask(uow, task, refused ? 'backend_error' : null);
  },
});
