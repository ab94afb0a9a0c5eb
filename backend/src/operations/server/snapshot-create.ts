import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { isBelowHighWater } from '../../business/servers/capacity/high-water.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import {
  addSnapshot,
  listSnapshots,
  MOST_SNAPSHOTS,
  SNAPSHOT,
} from '../../business/servers/copies/snapshot.ts';
import { server } from '../../business/servers/server.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree, mustRunItsOwn } from './change.schema.ts';
import { copyName } from './copy.schema.ts';

export default operation({
  method: 'POST',
  path: 'server/snapshot-create',
  summary: 'Take a snapshot of a server',
  description:
    'The disk as it is, inside itself; of a running server as after a power failure. Refused with `out_of_stock` while ' +
    "the node's disk is too full. A disk with snapshots cannot be enlarged.",
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({ uuid, name: copyName }),
  output: z.object({ uuid, snapshot_uuid: uuid, task }),
  message: { en: 'The snapshot is being taken.', de: 'Der Schnappschuss wird erstellt.' },
  errors: [...CHANGE_ERRORS, 'limit_reached', 'out_of_stock', 'backend_unavailable'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', name: 'before the upgrade' } },
  resource: server,
  async ask(ctx, input) {
    const [found] = await server.load(ctx.db, [{ accountId: ctx.caller.accountId, uuid: input.uuid }]);
    if (found == null) return null;
    return await isBelowHighWater(ctx.ports.hypervisor, found).catch((error: unknown) => {
      if (!(error instanceof BackendUnavailable)) throw error;
      return null;
    });
  },
  async handle(tx, ctx, input, found, hasCapacity) {
    await mustBeFree(ctx, tx, found);
    mustRunItsOwn(ctx, found);
    const known = await listSnapshots(tx, found.id);
    if (known.length >= MOST_SNAPSHOTS)
      throw ctx.refusal('limit_reached', { members: { limit: MOST_SNAPSHOTS, limited: 'snapshots' } });
    if (hasCapacity === null)
      throw ctx.refusal('backend_unavailable', { members: { backend: 'hypervisor' } });
    if (!hasCapacity) throw ctx.refusal('out_of_stock');
    const id = await addSnapshot(tx, found.id, input.name, ctx.uow.now);
    const task = beginChange(ctx.uow, ctx.sealer, found, { type: SNAPSHOT, wanted: { snapshot_id: id } });
    return { uuid: found.id, snapshot_uuid: id, task };
  },
});
