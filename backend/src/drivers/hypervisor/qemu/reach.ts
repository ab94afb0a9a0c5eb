import type { WantedFirewall } from '../../../base/firewall.ts';
import type { NetworkAccess } from '../port.ts';
import type { Machine } from './machine.ts';
import { ensurePort } from './network.ts';

/** Changes what a machine's own firewall lets through: at once where it runs, else with its next start. */
export async function setFirewall(machine: Machine, firewall: WantedFirewall): Promise<null> {
  const { record, process } = await machine.found();
  const changed = await machine.record({ ...record, firewall }, record);
  if (process !== null) await ensurePort(machine.node, changed);
  return null;
}

/** Changes what of the network a machine reaches: at once where it runs, else with its next start. */
export async function setNetworkAccess(machine: Machine, { mail, nullRouted }: NetworkAccess): Promise<null> {
  const { record, process } = await machine.found();
  const changed = await machine.record({ ...record, mail, nullRouted: [...nullRouted] }, record);
  if (process !== null) await ensurePort(machine.node, changed);
  return null;
}
