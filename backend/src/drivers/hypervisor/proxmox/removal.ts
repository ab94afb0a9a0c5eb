import type { MachineRef } from '../port.ts';
import { removeBackups } from './backup.ts';
import type { Cluster, Vm } from './cluster.ts';
import { NO_SEED, SEED_DRIVE, seedVolume } from './configuration.ts';
import { mustBeUnleased } from './lease.ts';
import { findAll, Machine, mustBeFree } from './machine.ts';
import { powerOf, stop } from './power.ts';
import { removeSeeds } from './seed.ts';

/** Removes a virtual machine with its disks, snapshots and seeds. */
export async function destroy(cluster: Cluster, vm: Vm): Promise<void> {
  mustBeFree(vm);
  const machine = await Machine.read(cluster, vm);
  if (powerOf(await machine.current()) !== 'stopped') await stop(machine);
  // First: once the machine is gone nobody would know whose they were.
  cluster.reached('unseed');
  await ejectSeed(machine);
  await removeSeeds(cluster, vm, null);
  cluster.reached('destroy');
  await cluster.task('DELETE', machine.path(''), { purge: 1, 'destroy-unreferenced-disks': 1 });
}

async function ejectSeed(machine: Machine): Promise<void> {
  if (seedVolume(machine.configuration) !== null) await machine.configure({ [SEED_DRIVE]: NO_SEED });
}

/** Removes everything that there is of a server, finished or not. */
export async function removeAll(cluster: Cluster, ref: MachineRef): Promise<void> {
  const { current, older, unfinished } = await findAll(cluster, ref.serverId);
  for (const machine of unfinished) mustBeUnleased(machine);
  const vms = [...older, ...unfinished.map(({ vm }) => vm), ...(current === null ? [] : [current])];
  await removeBackups(cluster, ref);
  for (const vm of vms) await destroy(cluster, vm);
}
