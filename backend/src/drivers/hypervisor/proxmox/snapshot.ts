import { z } from 'zod';
import type { Instant } from '../../../base/time.ts';
import { NO_SEED, SEED_DRIVE, seedVolume } from './configuration.ts';
import { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { Refused } from './refusal.ts';

const Snapshots = z.array(z.object({ name: z.string(), snaptime: z.coerce.number().optional() }));

/** Names begin with a letter, and have 40 characters at most. */
function nameOf(id: string): string {
  return `hk-${id}`;
}

async function takenAt(machine: Machine, id: string): Promise<Instant | null> {
  const snapshots = await machine.cluster.get(machine.path('/snapshot'), Snapshots);
  const seconds = snapshots.find(({ name }) => name === nameOf(id))?.snaptime;
  return seconds === undefined ? null : Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}

/** Keeps the disks as they are; of a running machine as after a power failure. */
export async function takeSnapshot(machine: Machine, id: string): Promise<Instant> {
  const there = await takenAt(machine, id);
  if (there !== null) return there;
  await machine.cluster.task('POST', machine.path('/snapshot'), {
    ...{ snapname: nameOf(id), vmstate: 0, description: 'hostkeep' },
  });
  const taken = await takenAt(machine, id);
  if (taken === null) throw new Error('the snapshot is not there');
  return taken;
}

export async function removeSnapshot(machine: Machine, id: string): Promise<void> {
  if ((await takenAt(machine, id)) === null) return;
  await machine.cluster.task('DELETE', machine.path(`/snapshot/${nameOf(id)}`));
}

/**
 * The configuration comes back with the disks, but the description stays: from it everything else is written again. A
 * seed that was in the drive then may be gone, and the machine would not start.
 */
export async function restoreSnapshot(machine: Machine, id: string, restoreId: string): Promise<void> {
  const { record, cluster, vm } = machine;
  if (record.restores.includes(restoreId)) return;
  if (powerOf(await machine.current()) !== 'stopped') throw new Refused('the machine is on');
  if ((await takenAt(machine, id)) === null) throw new Refused('there is no such snapshot');
  const seed = seedVolume(machine.configuration);
  await cluster.task('POST', machine.path(`/snapshot/${nameOf(id)}/rollback`));
  const back = await Machine.read(cluster, vm);
  await back.writeAll(
    { ...record, restores: [...record.restores, restoreId] },
    { [SEED_DRIVE]: seed === null ? NO_SEED : `${seed},media=cdrom`, onboot: 0 },
  );
}
