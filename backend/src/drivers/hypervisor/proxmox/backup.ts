import { z } from 'zod';
import type { MachineRef } from '../port.ts';
import type { Cluster } from './cluster.ts';
import { configurationOf, NO_SEED, SEED_DRIVE } from './configuration.ts';
import { ensureFirewall } from './firewall.ts';
import { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { Refused } from './refusal.ts';
import { removeVolume } from './seed.ts';
import { grow } from './size.ts';

const Stored = z.array(
  z.object({ volid: z.string(), size: z.coerce.number().default(0), notes: z.string().default('') }),
);

interface StoredBackup {
  readonly volume: string;
  readonly sizeBytes: number;
  readonly notes: string;
}

function storageOf({ settings }: Cluster): string {
  if (settings.backups === undefined) throw new Refused('the cluster has nowhere to keep backups');
  return settings.backups;
}

/** A backup is known by its notes: a server's machines change their numbers with each reinstall. */
function notesOf({ settings }: Cluster, serverId: string, backupId: string): string {
  return `hostkeep ${settings.installation} ${serverId} ${backupId}`;
}

async function storedBackups(cluster: Cluster, node: string, notes: string): Promise<StoredBackup[]> {
  const storage = storageOf(cluster);
  const stored = await cluster.get(`/nodes/${node}/storage/${storage}/content`, Stored, {
    content: 'backup',
  });
  return stored
    .filter((one) => one.notes === notes || one.notes.startsWith(`${notes} `))
    .map(({ volid, size, notes: own }) => ({ volume: volid, sizeBytes: size, notes: own }));
}

/** Copies the disks to the storage of backups; the size there. */
export async function takeBackup(machine: Machine, backupId: string): Promise<number> {
  const { cluster, vm, record } = machine;
  const notes = notesOf(cluster, record.serverId, backupId);
  const find = async () => (await storedBackups(cluster, vm.node, notes))[0]?.sizeBytes;
  const there = await find();
  if (there !== undefined) return there;
  await cluster.task('POST', `/nodes/${vm.node}/vzdump`, {
    ...{ vmid: vm.vmid, storage: storageOf(cluster), mode: 'snapshot', compress: 'zstd' },
    ...{ remove: 0, 'notes-template': notes },
  });
  const taken = await find();
  if (taken === undefined) throw new Error('the backup is not there');
  return taken;
}

export async function removeBackup(
  cluster: Cluster,
  { node, serverId }: MachineRef,
  backupId: string,
): Promise<void> {
  if (cluster.settings.backups === undefined) return;
  for (const { volume } of await storedBackups(cluster, node, notesOf(cluster, serverId, backupId)))
    await removeVolume(cluster, node, volume);
}

/** All of a server. */
export async function removeBackups(cluster: Cluster, { node, serverId }: MachineRef): Promise<void> {
  if (cluster.settings.backups === undefined) return;
  const notes = `hostkeep ${cluster.settings.installation} ${serverId}`;
  for (const { volume } of await storedBackups(cluster, node, notes))
    await removeVolume(cluster, node, volume);
}

/**
 * Puts the disks back in one task, which also writes down that it did. What it cannot write is brought about after it,
 * and again by whoever comes next.
 */
export async function restoreBackup(machine: Machine, backupId: string, restoreId: string): Promise<void> {
  const { cluster, vm, record } = machine;
  if (!record.restores.includes(restoreId)) {
    if (powerOf(await machine.current()) !== 'stopped') throw new Refused('the machine is on');
    const [backup] = await storedBackups(cluster, vm.node, notesOf(cluster, record.serverId, backupId));
    if (backup === undefined) throw new Refused('there is no such backup');
    const { settings } = cluster;
    await cluster.task('POST', `/nodes/${vm.node}/qemu`, {
      ...{ vmid: vm.vmid, archive: backup.volume, force: 1, storage: settings.storage },
      ...configurationOf({ ...record, restores: [...record.restores, restoreId] }, settings),
      ...{ [SEED_DRIVE]: NO_SEED, onboot: 0 },
    });
  }
  const back = await Machine.read(cluster, vm);
  await grow(back, record.disk);
  await ensureFirewall({ cluster, path: (below) => back.path(below) }, record);
}
