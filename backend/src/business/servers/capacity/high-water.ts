import type { HypervisorQueries, MachineRef } from '../../../drivers/hypervisor/port.ts';

const DEADLINE_MS = 3_000;
/** The share of a node's disk that stays free, in percent: machines that are there grow into it. */
const KEPT_FREE = 10;

/**
 * Whether a node's disk is below its high-water mark, so that something may be added that grows there (rule G4). Snapshots
 * count by what they take. Throws BackendUnavailable when the node does not say.
 */
export async function isBelowHighWater(
  hypervisor: Pick<HypervisorQueries, 'capacity'>,
  { host, node }: Pick<MachineRef, 'host' | 'node'>,
): Promise<boolean> {
  const { nodes } = await hypervisor.capacity(host, DEADLINE_MS);
  const found = nodes.find((one) => one.node === node);
  return found !== undefined && found.diskFree * 100 >= found.disk * KEPT_FREE;
}
