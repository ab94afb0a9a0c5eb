import { z } from 'zod';
import type { WantedSize } from '../port.ts';
import { bootDisk, networkCard } from './configuration.ts';
import type { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { Refused } from './refusal.ts';

const GIB = 1024 ** 3;
const Snapshots = z.array(z.object({ name: z.string() }));

/** Brings a disk up to a size in GiB. */
export async function grow(machine: Machine, disk: number): Promise<void> {
  const boot = bootDisk(machine.configuration);
  if (boot === null) throw new Refused('the machine has no disk');
  if (boot.bytes >= disk * GIB) return;
  await machine.cluster.task('PUT', machine.path('/resize'), { disk: boot.drive, size: `${disk}G` });
}

/** Disks only grow, and not with snapshots of their smaller selves (rule G4). */
export async function resize(machine: Machine, wanted: WantedSize): Promise<{ requiresReboot: boolean }> {
  const { record, cluster } = machine;
  const { cores, memory, disk, uplink } = wanted;
  if (disk < record.disk) throw new Refused('disks only grow');
  if (disk > record.disk && (await snapshotNames(machine)).length > 0)
    throw new Refused('the disk has snapshots');
  const next = { ...record, cores, memory, disk, uplink };
  const changed = await machine.write(next, { cores, memory, net0: networkCard(next, cluster.settings) });
  // Whatever was written down before: a run before this one may have ended here.
  await grow(changed, disk);
  if (powerOf(await changed.current()) === 'stopped') return { requiresReboot: false };
  const running = await changed.running();
  const isSame = Number(running.cores) === cores && Number(running.memory) === memory;
  return { requiresReboot: !isSame };
}

async function snapshotNames(machine: Machine): Promise<string[]> {
  const snapshots = await machine.cluster.get(machine.path('/snapshot'), Snapshots);
  return snapshots.map(({ name }) => name).filter((name) => name !== 'current');
}
