import type { Executor } from '../../../db/pool.ts';
import type { HypervisorQueries } from '../../../drivers/hypervisor/port.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { ResourceKey } from '../../../operation.ts';
import { isDelivered } from '../machine/compare.ts';
import { server } from '../server.ts';

const DEADLINE_MS = 3_000;

/** Whether a server's machine has a screen to look at now. */
export type Screen =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | { readonly kind: 'unknown'; readonly backend: string };

/** Asks the hypervisor. There is none of a server that is not there, nor of one that somebody else has. */
export async function screenOf(
  db: Executor,
  hypervisor: HypervisorQueries,
  key: ResourceKey,
): Promise<Screen> {
  const [found] = await server.load(db, [key]);
  if (!found || !isDelivered(found)) return { kind: 'off' };
  const machine = { serverId: found.id, host: found.host, node: found.node };
  try {
    const status = await hypervisor.status(machine, DEADLINE_MS);
    const isOn = status !== null && (status.power === 'running' || status.power === 'paused');
    return { kind: isOn ? 'on' : 'off' };
  } catch (error) {
    if (error instanceof BackendUnavailable) return { kind: 'unknown', backend: error.backend };
    throw error;
  }
}
