import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import { commandJob } from '../../../work/job.ts';
import { hypervisorOf } from '../machine/convergence.ts';
import { backupRemoved } from './backup.ts';
import { REMOVE_COPY } from './copy-removal.ts';
import { snapshotRemoved } from './snapshot.ts';

interface UnwantedCopy {
  readonly server_id: string;
  readonly host: string;
  readonly node: string;
}

function unwanted(kind: 'snapshot' | 'backup') {
  return statement<UnwantedCopy>(
    `load_unwanted_server_${kind}`,
    `SELECT c.server_id, v.host, v.node FROM server_${kind}s c JOIN servers v ON v.id = c.server_id
     WHERE c.id = $1 AND c.state = 'deleting'`,
  );
}
const loads = { snapshot: unwanted('snapshot'), backup: unwanted('backup') };

/** Removes a copy of a disk that nobody wants any more, and then its row. */
export default commandJob({
  name: REMOVE_COPY,
  priority: 'bulk',
  payload: z.object({ kind: z.enum(['snapshot', 'backup']), id: z.uuid() }),
  async load(db, _ctx, { kind, id }) {
    const [row] = await db.run(loads[kind], [id]);
    if (row === undefined) return null;
    const { server_id: serverId, host, node } = row;
    return { kind, id, machine: { serverId, host, node } };
  },
  command: ({ hypervisor }, { kind, id, machine }) =>
    kind === 'snapshot'
      ? hypervisor.ensureSnapshotAbsent(machine, id)
      : hypervisor.ensureBackupAbsent(machine, id),
  backend: ({ machine }) => hypervisorOf(machine),
  about: ({ machine }) => ({ service_id: machine.serverId }),
  accounts: () => [],
  async finish(tx, { log }, { kind, id, machine }, outcome) {
    if (outcome.kind === 'refused') {
      log.warn({ server: machine.serverId, kind, id, reason: outcome.reason }, 'a copy could not be removed');
      return;
    }
    if (kind === 'snapshot') await snapshotRemoved(tx, id);
    else await backupRemoved(tx, id);
  },
});
