import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { copyRemovalJob } from '../../business/servers/copies/copy-removal.ts';
import { findSnapshot, snapshotDeleting } from '../../business/servers/copies/snapshot.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/snapshot-delete',
  summary: 'Delete a snapshot of a server',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, snapshot_uuid: uuid }),
  output: z.object({ uuid, snapshot_uuid: uuid, state: z.literal('deleting') }),
  message: { en: 'The snapshot is being deleted.', de: 'Der Schnappschuss wird gelöscht.' },
  errors: CHANGE_ERRORS,
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      snapshot_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
    },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    // What is being taken, or put back, is not taken away.
    await mustBeFree(ctx, tx, found);
    const snapshot = await findSnapshot(tx, found.id, input.snapshot_uuid);
    if (snapshot === null) throw ctx.refusal('not_found');
    await snapshotDeleting(tx, snapshot.id);
    ctx.uow.jobs.push(copyRemovalJob('snapshot', snapshot.id));
    return { uuid: found.id, snapshot_uuid: snapshot.id, state: 'deleting' as const };
  },
});
