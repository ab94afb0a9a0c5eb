import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { addBackup, backupJob, listBackups } from '../../business/webspaces/backups/backups.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { addTask, BACKUP, push } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeOn, mustFit, wireLimits } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/backup-create',
  summary: 'Back a webspace up now',
  description: 'When there are more than the package keeps then, the oldest goes.',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, backup_uuid: uuid, task }),
  message: { en: 'The backup is being made.', de: 'Die Sicherung wird erstellt.' },
  errors: [...CHANGE_ERRORS, 'limit_reached', 'conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async handle(tx, ctx, _input, found) {
    mustBeOn(ctx, found);
    const { backups } = wireLimits(ctx.catalog, found);
    mustFit(ctx, 'backups', backups === 0 ? 0 : null, 0);
    const known = await listBackups(tx, found.id);
    if (known.some(({ state }) => state === 'pending')) throw ctx.refusal('conflict');
    const begun = addTask(ctx.uow, found, BACKUP);
    // The task is there once the changes are sent: what refers to it comes after.
    await ctx.uow.changes.send(tx);
    const id = await addBackup(tx, found.id, 'manual', begun.uuid, ctx.uow.now);
    push(ctx.uow, backupJob(id));
    return { uuid: found.id, backup_uuid: id, task: begun };
  },
});
