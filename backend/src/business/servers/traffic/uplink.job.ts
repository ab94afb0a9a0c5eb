import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import type { MachineRef, WantedSize } from '../../../drivers/hypervisor/port.ts';
import { commandJob } from '../../../work/job.ts';
import { hypervisorOf } from '../machine/convergence.ts';
import { NAME_TASK } from '../network/name-task.ts';
import { UPLINK, uplinkJob, uplinkOf, uplinkSettled } from './uplink.ts';

interface LimitedServer {
  readonly id: string;
  readonly account_id: string;
  readonly host: string;
  readonly node: string;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  readonly throttled_to: number | null;
  /** Other work on its machine is under way, which may change its size. */
  readonly busy: boolean;
}

// Only where there is a machine: one that is made later gets its uplink with everything else.
const load = statement<LimitedServer>(
  'load_limited_server',
  `SELECT v.id, s.account_id, v.host, v.node, v.cores, v.memory, v.disk, v.uplink, v.throttled_to,
     EXISTS (SELECT FROM tasks t
       WHERE t.resource_id = v.id AND t.type <> '${NAME_TASK}' AND t.finished_at IS NULL) AS busy
   FROM servers v JOIN services s ON s.id = v.id
   WHERE v.id = $1 AND v.removed_at IS NULL AND s.state NOT IN ('pending', 'provisioning', 'deleted', 'error')`,
);

function sizeOf(server: LimitedServer): WantedSize {
  const { cores, memory, disk } = server;
  return { cores, memory, disk, uplink: uplinkOf(server) };
}

function isSameSize(one: WantedSize, other: WantedSize): boolean {
  return (['cores', 'memory', 'disk', 'uplink'] as const).every((field) => one[field] === other[field]);
}

interface Limiting {
  readonly machine: MachineRef;
  readonly accountId: string;
  readonly size: WantedSize;
  readonly busy: boolean;
}

/**
 * Gives a machine the uplink that its traffic leaves it. Waits for other work on the server, whose size the books have
 * only once it is done, and runs again when the books changed meanwhile: a change of size that was done while this was
 * under way, or is not in the books yet, may have been taken back by it.
 */
export default commandJob({
  name: UPLINK,
  payload: z.object({ server_id: z.uuid() }),
  async load(db, _ctx, { server_id }): Promise<Limiting | null> {
    const [server] = await db.run(load, [server_id]);
    if (server === undefined) return null;
    const { id: serverId, host, node, account_id: accountId, busy } = server;
    return { machine: { serverId, host, node }, accountId, size: sizeOf(server), busy };
  },
  async command({ hypervisor }, { machine, size, busy }) {
    if (busy) return { kind: 'pending', step: 'waiting', progress: 0 };
    return await hypervisor.ensureResized(machine, size);
  },
  backend: ({ machine }) => hypervisorOf(machine),
  about: ({ machine }) => ({ service_id: machine.serverId }),
  accounts: ({ accountId }) => [accountId],
  async finish(tx, { uow, log }, { machine, size }, outcome) {
    const [server] = await tx.run(load, [machine.serverId]);
    if (server !== undefined && (server.busy || !isSameSize(sizeOf(server), size)))
      uow.jobs.push(uplinkJob(server.id));
    else if (server !== undefined) await uplinkSettled(tx, server.id);
    if (outcome.kind !== 'refused') return;
    log.warn({ server: machine.serverId, reason: outcome.reason }, 'a hypervisor refused to limit an uplink');
  },
});
