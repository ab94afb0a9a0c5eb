import type { Executor } from '../../../db/pool.ts';
import type { HypervisorQueries, MachineStatus } from '../../../drivers/hypervisor/port.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { server } from '../server.ts';
import { isDelivered } from './compare.ts';

const DEADLINE_MS = 3_000;

interface Asking {
  readonly caller: { readonly accountId: string };
  readonly db: Executor;
  readonly ports: { readonly hypervisor: HypervisorQueries };
}

/** What the hypervisor says of the machine of a server of the caller's; null: nothing in time, or there is none. */
export async function prefetchMachine(
  { caller: { accountId }, db, ports: { hypervisor } }: Asking,
  uuid: string,
): Promise<MachineStatus | null> {
  const [found] = await server.load(db, [{ accountId, uuid }]);
  if (found == null || !isDelivered(found)) return null;
  const machine = { serverId: found.id, host: found.host, node: found.node };
  return await hypervisor.status(machine, DEADLINE_MS).catch((error) => {
    if (error instanceof BackendUnavailable) return null;
    throw error;
  });
}
