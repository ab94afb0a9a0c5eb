import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { findSnapshot, SNAPSHOT_RESTORE } from '../../business/servers/copies/snapshot.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree, mustRunItsOwn } from './change.schema.ts';
import { restoreConfirmation } from './copy.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/snapshot-restore',
  summary: "Put a server's disk back to a snapshot",
  description:
    'Cuts the power, puts the disk back, and starts the server again if it was to run. What was written since is lost; ' +
    'later snapshots stay. Refused while the server is protected against reinstallation.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, snapshot_uuid: uuid, confirm: restoreConfirmation }),
  output: z.object({ uuid, snapshot_uuid: uuid, data_loss: z.literal(true), task }),
  message: { en: 'The snapshot is being restored.', de: 'Der Schnappschuss wird zurückgespielt.' },
  errors: [...CHANGE_ERRORS, 'confirmation_mismatch', 'resource_protected'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      snapshot_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
      confirm: 'web.example.com',
    },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    await mustBeFree(ctx, tx, found);
    mustRunItsOwn(ctx, found);
    const snapshot = await findSnapshot(tx, found.id, input.snapshot_uuid);
    if (snapshot?.state !== 'available') throw ctx.refusal('not_found');
    if (input.confirm !== found.hostname) throw ctx.refusal('confirmation_mismatch');
    // It protects what is on the disk, whatever would take its place.
    if (found.protect_reinstall) throw ctx.refusal('resource_protected');
    const wanted = { snapshot_id: snapshot.id };
    const task = beginChange(ctx.uow, ctx.sealer, found, { type: SNAPSHOT_RESTORE, wanted });
    return { uuid: found.id, snapshot_uuid: snapshot.id, data_loss: true as const, task };
  },
});
