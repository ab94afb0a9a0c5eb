import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { addBackup, BACKUP, listBackups } from '../../business/servers/copies/backup.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';
import { copyName } from './copy.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/backup-create',
  summary: 'Back a server up now',
  description:
    'A whole copy of the disk, away from its node. It stays until you delete it, and takes one of the slots: refused with ' +
    '`limit_reached` when none is left.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, name: copyName }),
  output: z.object({ uuid, backup_uuid: uuid, task }),
  message: { en: 'The backup is being made.', de: 'Die Sicherung wird erstellt.' },
  errors: [...CHANGE_ERRORS, 'limit_reached'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    const limit = found.backup_slots;
    if ((await listBackups(tx, found.id)).length >= limit)
      throw ctx.refusal('limit_reached', { members: { limit, limited: 'backups' } });
    const { now } = ctx.uow;
    const id = await addBackup(tx, found.id, { kind: 'manual', name: input.name, now });
    const task = beginChange(ctx.uow, ctx.sealer, found, { type: BACKUP, wanted: { backup_id: id } });
    return { uuid: found.id, backup_uuid: id, task };
  },
});
