import { z } from 'zod';
import type { WantedSize } from '../port.ts';
import { type Machine, Refused } from './machine.ts';
import { ensurePort } from './network.ts';
import { diskPath, snapshotsOf } from './snapshot.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const Memory = z.object({ 'base-memory': z.number() });

/** What a machine's process was started with. Memory MiB. */
export async function sizeOfProcess(machine: Machine): Promise<{ cores: number; memory: number }> {
  return await machine.ask(async (qmp) => {
    const cores = z.array(z.unknown()).parse(await qmp.execute('query-cpus-fast')).length;
    const memory = Memory.parse(await qmp.execute('query-memory-size-summary'))['base-memory'] / MIB;
    return { cores, memory };
  });
}

/** Disks only grow, and not with snapshots of their smaller selves (rule G4). */
export async function resize(machine: Machine, wanted: WantedSize): Promise<{ requiresReboot: boolean }> {
  const { record, process } = await machine.found();
  const { cores, memory, disk, uplink } = wanted;
  if (disk < record.disk) throw new Refused('disks only grow');
  if (disk > record.disk && (await snapshotsOf(machine, record)).length > 0)
    throw new Refused('the disk has snapshots');
  const changed = await machine.record({ ...record, cores, memory, disk, uplink }, record);
  // Whatever was written down before: a run before this one may have ended here.
  if (process === null) {
    await machine.node.command([
      'qemu-img',
      'resize',
      '-q',
      '-f',
      'qcow2',
      diskPath(machine, record),
      `${disk}G`,
    ]);
    return { requiresReboot: false };
  }
  await machine.command((qmp) => qmp.execute('block_resize', { 'node-name': 'disk', size: disk * GIB }));
  await ensurePort(machine.node, changed);
  const running = await sizeOfProcess(machine);
  return { requiresReboot: running.cores !== cores || running.memory !== memory };
}
