import { z } from 'zod';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { MachineRef, PowerState, WantedPower } from '../../../drivers/hypervisor/port.ts';
import { commandJob } from '../../../work/job.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import { returnPlacements } from '../capacity/placement.ts';
import { forgetDiskCopies } from '../copies/copy-removal.ts';
import { withdrawPtrRecords } from '../network/ptr-records.ts';
import { serverPowered, serverRemoved } from '../server.ts';
import {
  CONVERGE,
  convergeServer,
  hypervisorOf,
  type WantedOfMachine,
  wantedOfMachine,
} from './convergence.ts';

interface EnforcedServer {
  readonly id: string;
  readonly account_id: string;
  readonly host: string;
  readonly node: string;
  readonly state: ServiceState;
  readonly wanted_power: WantedPower;
  /** Whether the place of a deleted server was given back already. */
  readonly removed: boolean;
}

const COLUMNS = `v.id, s.account_id, v.host, v.node, s.state, v.wanted_power, v.removed_at IS NOT NULL AS removed
  FROM servers v JOIN services s ON s.id = v.id WHERE v.id = $1`;
const load = statement<EnforcedServer>('load_enforced_server', `SELECT ${COLUMNS}`);
const lock = statement<EnforcedServer>('lock_enforced_server', `SELECT ${COLUMNS} FOR UPDATE OF s`);

interface Enforcement {
  readonly machine: MachineRef;
  readonly accountId: string;
  readonly wanted: WantedOfMachine;
}

async function enforcementOf(db: Executor, serverId: string): Promise<Enforcement | null> {
  const [server] = await db.run(load, [serverId]);
  const wanted = server === undefined ? null : wantedOfMachine(server);
  if (server === undefined || wanted === null) return null;
  const { id, host, node, account_id: accountId } = server;
  return { machine: { serverId: id, host, node }, accountId, wanted };
}

/**
 * Makes a server's machine be as the books say: as its customer wants it while the service is on, stopped while it
 * is off, gone once it is deleted; then its place is given back and its secrets are forgotten, once. What the books
 * say may change while the back end works: then it runs again, so that the last word of the books prevails.
 */
export default commandJob({
  name: CONVERGE,
  payload: z.object({ server_id: z.uuid() }),
  load: (db, _ctx, { server_id }) => enforcementOf(db, server_id),
  async command(ports, { machine, wanted }) {
    const outcome =
      wanted === 'absent'
        ? await ports.hypervisor.ensureAbsent(machine)
        : await ports.hypervisor.ensurePower(machine, wanted);
    if (outcome.kind !== 'done') return outcome;
    const power: PowerState = outcome.result?.power ?? 'unknown';
    return { kind: 'done', result: { power } };
  },
  backend: ({ machine }) => hypervisorOf(machine),
  about: ({ machine }) => ({ service_id: machine.serverId }),
  accounts: ({ accountId }) => [accountId],
  async finish(tx, { uow, log, catalogs }, { machine, wanted }, outcome) {
    const id = machine.serverId;
    const [server] = await tx.run(lock, [id]);
    if (server === undefined) return;
    if (wantedOfMachine(server) !== wanted) {
      convergeServer(uow, id);
      return;
    }
    if (outcome.kind === 'refused') {
      // The comparison of books and machines reports what stays different; deletion is tried again by the hour.
      log.warn({ server: id, wanted, reason: outcome.reason }, 'a hypervisor refused to follow the books');
      return;
    }
    if (wanted !== 'absent') {
      uow.changes.add(serverPowered, { id, power_state: outcome.result.power });
      return;
    }
    // Whoever comes second finds the place given back. An order that came to nothing gave back its own.
    if (server.removed || server.state !== 'deleted') return;
    const removeNames = await withdrawPtrRecords(tx, uow, await catalogs.newest(tx), [id]);
    await returnPlacements(tx, [id], uow.now);
    await removeNames();
    await forgetDiskCopies(tx, id);
    uow.changes.add(serverRemoved, { id, removed_at: uow.now });
  },
});
