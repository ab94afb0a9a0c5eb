import { z } from 'zod';
import type { Instant } from '../../../base/time.ts';
import type { Cluster, Vm } from './cluster.ts';
import { NO_SEED, SEED_DRIVE, seedVolume } from './configuration.ts';
import { Machine } from './machine.ts';
import type { MachineRecord } from './record.ts';
import { PveRefusal, Refused, UnderWay } from './refusal.ts';
import { removeVolume, type StoredSeed, storedSeeds } from './seed.ts';

const DAY_SECONDS = 86_400;
/** A seed is put in right after it was stored; whatever wanted to has failed by then. */
const FORGOTTEN_SECONDS = 3600;

const Content = z.object({ content: z.string() });

/** Removes seeds that machines have started from, and those that nobody will (rule G3). */
export async function keepSeeds(cluster: Cluster, node: string, now: Instant): Promise<void> {
  // Before the machines: whose seed is seen has a machine then.
  const seeds = await storedSeeds(cluster, node);
  if (seeds.length === 0) return;
  const vms = new Map((await cluster.vms()).map((vm) => [vm.vmid, vm]));
  for (const seed of seeds) {
    try {
      await keepSeed(cluster, node, seed, vms.get(seed.vmid), Math.floor(now.epochMilliseconds / 1000));
    } catch (error) {
      // Somebody works on the machine, or has changed it: a minute later there is another look.
      if (!(error instanceof UnderWay || error instanceof PveRefusal || error instanceof Refused))
        throw error;
    }
  }
}

async function keepSeed(
  cluster: Cluster,
  node: string,
  { volume, storedAt }: StoredSeed,
  vm: Vm | undefined,
  now: number,
): Promise<void> {
  if (vm === undefined) return await removeVolume(cluster, node, volume);
  if (vm.mark === null || vm.lock !== undefined) return;
  const machine = await Machine.read(cluster, vm);
  if (seedVolume(machine.configuration) !== volume) {
    if (now - storedAt >= FORGOTTEN_SECONDS) await removeVolume(cluster, node, volume);
    return;
  }
  const { status, uptime } = await machine.current();
  if (status === 'stopped') return;
  const isOld = Math.min(now - storedAt, uptime) >= DAY_SECONDS;
  if (!isOld && !(await hasStarted(machine, volume))) return;
  await machine.configure({ [SEED_DRIVE]: NO_SEED });
  await removeVolume(cluster, node, volume);
}

/** Whether cloud-init, asked through the guest agent, has come to its end with this seed. */
async function hasStarted(machine: Machine, volume: string): Promise<boolean> {
  const file = `/var/lib/cloud/instances/${instanceOf(machine.record, volume)}/boot-finished`;
  try {
    const { content } = await machine.cluster.get(machine.path('/agent/file-read'), Content, { file });
    return content !== '';
  } catch (error) {
    if (error instanceof PveRefusal) return false;
    throw error;
  }
}

function instanceOf({ serverId, generation }: MachineRecord, volume: string): string {
  const revision = /-(\d+)\.iso$/.exec(volume)?.[1] ?? '0';
  return revision === '0' ? `${serverId}-${generation}` : `${serverId}-${generation}-${revision}`;
}
