import type { WantedRescue } from '../port.ts';
import { seedOf } from '../qemu/cloud-init.ts';
import { bootOrder, NO_SEED, RESCUE_DRIVE, SEED_DRIVE, seedVolume, textOf } from './configuration.ts';
import { hashPassword, isPassword } from './crypt.ts';
import { templateFor } from './installation.ts';
import { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { descriptionOf } from './record.ts';
import { Refused } from './refusal.ts';
import { removeVolume, storedSeeds, storeSeed } from './seed.ts';

/** Of the seed's name: no change of a password has such a number. */
const REVISION = 1_000_000;

/** Has a machine that is off start from another system, or from its own (null). */
export async function setRescue(machine: Machine, wanted: WantedRescue | null): Promise<void> {
  const { rescue } = machine.record;
  const hasDrive = textOf(machine.configuration, RESCUE_DRIVE) !== '';
  if (wanted === null ? rescue === null && !hasDrive : rescue?.rescueId === wanted.rescueId && rescue.ready)
    return;
  if (powerOf(await machine.current()) !== 'stopped') throw new Refused('the machine is on');
  if (wanted === null) await end(machine);
  else await begin(machine, wanted);
}

/**
 * A copy of the template's disk, which may take the cluster longer than anybody waits: whoever comes next finds by the
 * record whose it is. Only with the last step the machine starts from it.
 */
async function begin(machine: Machine, wanted: WantedRescue): Promise<void> {
  const { cluster, vm } = machine;
  const { username, password, sshKeys, image, rescueId } = wanted;
  if (password !== null && !isPassword(password))
    throw new Refused('the password cannot be typed at a prompt');
  const source = await templateFor(cluster, { image, node: vm.node });
  const { rescue } = machine.record;
  let begun = machine;
  if (rescue?.rescueId !== rescueId) {
    const seed = rescue === null ? seedVolume(machine.configuration) : rescue.seed;
    begun = await machine.write(
      { ...machine.record, rescue: { rescueId, seed, ready: false } },
      { boot: bootOrder(machine.configuration, { rescue: false }) },
    );
    begun = await detached(begun);
  }
  if (textOf(begun.configuration, RESCUE_DRIVE) === '') {
    const drive = `${cluster.settings.storage}:0,import-from=${source.volume},backup=0`;
    await cluster.task('POST', begun.path('/config'), { [RESCUE_DRIVE]: drive });
  }
  const passwordHash = password === null ? null : hashPassword(password);
  const { resolvers } = cluster.settings.network;
  const login = { username, passwordHash, sshKeys };
  const { record } = begun;
  const seed = seedOf({ machine: record, login, userData: null, passwordRevision: REVISION, resolvers });
  const volume = await storeSeed(cluster, vm, seed, REVISION);
  const ready = await Machine.read(cluster, vm);
  await ready.configure({
    [SEED_DRIVE]: `${volume},media=cdrom`,
    boot: bootOrder(ready.configuration, { rescue: true }),
    description: descriptionOf({
      ...record,
      rescue: { rescueId, seed: record.rescue?.seed ?? null, ready: true },
    }),
  });
}

async function end(machine: Machine): Promise<void> {
  const { cluster, vm, record, configuration } = machine;
  const stored = await storedSeeds(cluster, vm.node);
  const seed = stored.find(({ volume }) => volume === record.rescue?.seed)?.volume;
  const put =
    record.rescue === null ? {} : { [SEED_DRIVE]: seed === undefined ? NO_SEED : `${seed},media=cdrom` };
  const boot = bootOrder(configuration, { rescue: false });
  await machine.write({ ...record, rescue: null }, { ...put, boot });
  const left = stored.find(({ volume, vmid }) => vmid === vm.vmid && volume.endsWith(`-${REVISION}.iso`));
  if (left !== undefined) await removeVolume(cluster, vm.node, left.volume);
  await detached(machine);
}

/** The machine without the drive and its disk. What starts from it has to start from elsewhere before. */
async function detached(machine: Machine): Promise<Machine> {
  if (textOf(machine.configuration, RESCUE_DRIVE) === '') return machine;
  await machine.cluster.change('PUT', machine.path('/unlink'), { idlist: RESCUE_DRIVE, force: 1 });
  return await Machine.read(machine.cluster, machine.vm);
}
