import { z } from 'zod';
import type { Instant } from '../../../base/time.ts';
import { type Machine, Refused } from './machine.ts';
import type { MachineRecord } from './record.ts';

const ImageInfo = z.object({
  snapshots: z.array(z.object({ name: z.string(), 'date-sec': z.int() })).optional(),
});

export interface DiskSnapshot {
  readonly name: string;
  readonly takenAt: Instant;
}

export function diskPath(machine: Machine, { serverId, generation }: MachineRecord): string {
  return `${machine.node.directory(serverId)}/${generation}/disk.qcow2`;
}

/** The snapshots that a disk holds, also while the machine runs. */
export async function snapshotsOf(machine: Machine, record: MachineRecord): Promise<DiskSnapshot[]> {
  const path = diskPath(machine, record);
  const printed = await machine.node.command([
    'qemu-img',
    'info',
    '-U',
    '--output=json',
    '-f',
    'qcow2',
    path,
  ]);
  return (ImageInfo.parse(JSON.parse(printed)).snapshots ?? []).map(({ name, 'date-sec': seconds }) => ({
    name,
    takenAt: Temporal.Instant.fromEpochMilliseconds(seconds * 1000),
  }));
}

/** Keeps the disk as it is, inside itself; of a running machine as after a power failure. */
export async function takeSnapshot(machine: Machine, name: string): Promise<Instant> {
  const { record, process } = await machine.found();
  const find = async () => (await snapshotsOf(machine, record)).find((one) => one.name === name)?.takenAt;
  const there = await find();
  if (there !== undefined) return there;
  if (process === null)
    await machine.node.command(['qemu-img', 'snapshot', '-c', name, diskPath(machine, record)]);
  else
    await machine.command((qmp) => qmp.execute('blockdev-snapshot-internal-sync', { device: 'disk', name }));
  const taken = await find();
  if (taken === undefined) throw new Error('the snapshot is not there');
  return taken;
}

export async function removeSnapshot(machine: Machine, name: string): Promise<null> {
  const state = await machine.find();
  if (state === null) return null;
  const there = (await snapshotsOf(machine, state.record)).some((one) => one.name === name);
  if (!there) return null;
  if (state.process === null)
    await machine.node.command(['qemu-img', 'snapshot', '-d', name, diskPath(machine, state.record)]);
  else
    await machine.command((qmp) =>
      qmp.execute('blockdev-snapshot-delete-internal-sync', { device: 'disk', name }),
    );
  return null;
}

export async function restoreSnapshot(machine: Machine, name: string, restoreId: string): Promise<null> {
  const { record, process } = await machine.found();
  if (record.restores.includes(restoreId)) return null;
  if (process !== null) throw new Refused('the machine is on');
  if (!(await snapshotsOf(machine, record)).some((one) => one.name === name))
    throw new Refused('there is no such snapshot');
  await machine.node.command(['qemu-img', 'snapshot', '-a', name, diskPath(machine, record)]);
  await machine.record({ ...record, restores: [...record.restores, restoreId].slice(-50) }, record);
  return null;
}
