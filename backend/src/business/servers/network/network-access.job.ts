import { z } from 'zod';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { MachineRef, NetworkAccess } from '../../../drivers/hypervisor/port.ts';
import { commandJob } from '../../../work/job.ts';
import { hypervisorOf } from '../machine/convergence.ts';
import { networkAccessApplied, networkAccessJob, REACH } from './network-access.ts';

interface ServerWithAccess {
  readonly id: string;
  readonly account_id: string;
  readonly host: string;
  readonly node: string;
  readonly delivered: boolean;
  readonly mail_open: boolean;
  readonly null_routed: readonly string[];
}

// Also while it is suspended: then above all. What is being made is looked at once it is there.
const load = statement<ServerWithAccess>(
  'load_reaching_server',
  `SELECT v.id, s.account_id, v.host, v.node, v.mail_open,
     s.state NOT IN ('pending', 'provisioning') AS delivered, ARRAY(
     SELECT CASE family(a.address) WHEN 4 THEN host(a.address) ELSE text(a.address) END FROM addresses a
     WHERE a.server_id = v.id AND a.null_route IS NOT NULL ORDER BY a.address) AS null_routed
   FROM servers v JOIN services s ON s.id = v.id
   WHERE v.id = $1 AND v.removed_at IS NULL AND s.state NOT IN ('deleted', 'error')`,
);

interface Reaching {
  readonly machine: MachineRef;
  readonly accountId: string;
  readonly delivered: boolean;
  readonly wanted: NetworkAccess;
}

async function reachingOf(db: Executor, serverId: string): Promise<Reaching | null> {
  const [server] = await db.run(load, [serverId]);
  if (server === undefined) return null;
  const {
    id,
    host,
    node,
    account_id: accountId,
    delivered,
    mail_open: mail,
    null_routed: nullRouted,
  } = server;
  return { machine: { serverId: id, host, node }, accountId, delivered, wanted: { mail, nullRouted } };
}

/** Has a machine reach what the books say, and once more when they changed meanwhile. */
export default commandJob({
  name: REACH,
  payload: z.object({ server_id: z.uuid() }),
  load: (db, _ctx, { server_id }) => reachingOf(db, server_id),
  command: ({ hypervisor }, { machine, wanted }) => hypervisor.ensureNetworkAccess(machine, wanted),
  backend: ({ machine }) => hypervisorOf(machine),
  about: ({ machine }) => ({ service_id: machine.serverId }),
  accounts: ({ accountId }) => [accountId],
  async finish(tx, { uow, log }, { machine, wanted }, outcome) {
    const now = await reachingOf(tx, machine.serverId);
    if (now !== null && JSON.stringify(now.wanted) !== JSON.stringify(wanted))
      uow.jobs.push(networkAccessJob(machine.serverId));
    // What is being made has no machine yet that could be told: it is told once it is there.
    else if (now?.delivered) await networkAccessApplied(tx, machine.serverId);
    if (outcome.kind === 'refused')
      log.error({ server: machine.serverId, reason: outcome.reason }, 'a hypervisor refused what is reached');
  },
});
