import { z } from 'zod';
import type { FirewallRule } from '../../../base/firewall.ts';
import type { WantedMachine } from '../port.ts';
import { type Seed, seedOf } from '../qemu/cloud-init.ts';
import type { Cluster, Vm } from './cluster.ts';
import {
  type BootDisk,
  bootDisk,
  configurationOf,
  MEDIUM_DRIVE,
  NO_MEDIUM,
  SEED_DRIVE,
} from './configuration.ts';
import { hashPassword, isPassword } from './crypt.ts';
import { customerRules } from './customer-rules.ts';
import { ensureFirewall, mustFilter } from './firewall.ts';
import { endLease, mustBeUnleased, takeLease } from './lease.ts';
import { type Found, Machine, mustBeFree } from './machine.ts';
import { readUnfinished, unfinishedName, vmidsOf } from './mark.ts';
import { descriptionOf, type MachineRecord } from './record.ts';
import { PveRefusal, Refused, UnderWay } from './refusal.ts';
import { destroy } from './removal.ts';
import { storeSeed } from './seed.ts';
import { grow } from './size.ts';

const GIB = 1024 ** 3;
const Settings = z.record(z.string(), z.unknown());

/**
 * Makes a machine of the wanted generation beside the one that there is. Until `commit` it is none of the server's: it
 * carries another name, is off, and whoever comes next goes on with it or removes it. From then on nothing writes its
 * disk again (rule G1).
 */
export async function install(cluster: Cluster, wanted: WantedMachine, found: Found): Promise<Machine> {
  const current = found.current === null ? null : await Machine.read(cluster, found.current);
  const before = current?.record ?? null;
  const record = recordOf(wanted, before);
  const { password } = wanted;
  if (password !== null && !isPassword(password))
    throw new Refused('the password cannot be typed at a prompt');
  await mustFilter(cluster);
  const clone = await takeLease(await cloned(cluster, wanted, record, found));
  try {
    const rules = current === null ? [] : await customerRules(cluster, current.path('/firewall/rules'));
    await finish(clone, wanted, record, rules);
  } catch (error) {
    // After a refusal nothing is there that was not before.
    if (error instanceof PveRefusal || error instanceof Refused) await destroy(cluster, clone.vm);
    if (error instanceof UnderWay) await endLease(clone);
    throw error;
  }
  // From here on it is the server's, and nothing takes it away.
  const committed = (await cluster.vms()).find(({ vmid }) => vmid === clone.vm.vmid);
  if (committed === undefined) throw new UnderWay('commit');
  return await Machine.read(cluster, committed);
}

function recordOf(wanted: WantedMachine, before: MachineRecord | null): MachineRecord {
  const { serverId, host, generation, hostname, cores, memory, disk, uplink, ipv4, ipv6 } = wanted;
  return {
    ...{ serverId, host, generation, hostname, cores, memory, disk, uplink },
    ...{ ipv4: [...ipv4], ipv6: [...ipv6] },
    ...{ mail: before?.mail ?? false, nullRouted: before?.nullRouted ?? [] },
    policies: before?.policies ?? { policyIn: 'accept', policyOut: 'accept' },
    // Counted by the books through all generations.
    ...{ reboots: before?.reboots ?? 0, rebooting: null, passwordRevision: before?.passwordRevision ?? 0 },
    restores: [],
    rescue: null,
    lease: null,
  };
}

/** The clone that was begun, or a new one. */
async function cloned(
  cluster: Cluster,
  wanted: WantedMachine,
  record: MachineRecord,
  { unfinished, taken }: Found,
): Promise<Machine> {
  const { serverId, generation } = wanted;
  const { installation } = cluster.settings;
  for (const machine of unfinished) {
    mustBeFree(machine.vm);
    mustBeUnleased(machine);
    const of = readUnfinished(String(machine.configuration.name), installation);
    if (of?.generation === generation) return machine;
    await destroy(cluster, machine.vm);
  }
  const { vm: template, bytes } = await templateFor(cluster, wanted);
  if (bytes > wanted.disk * GIB) throw new Refused(`${wanted.image} needs a larger disk`);
  const vmid = vmidsOf(serverId, cluster.settings.vmids).find((one) => !taken.has(one));
  if (vmid === undefined) throw new Refused('all numbers that the machine could have are taken');
  const { storage, clone, pool } = cluster.settings;
  cluster.reached('clone');
  await cluster.task('POST', `/nodes/${template.node}/qemu/${template.vmid}/clone`, {
    newid: vmid,
    name: unfinishedName(serverId, generation, installation),
    description: descriptionOf(record),
    full: clone === 'full' ? 1 : 0,
    storage: clone === 'full' ? storage : undefined,
    target: template.node === wanted.node ? undefined : wanted.node,
    pool,
  });
  const vm = (await cluster.vms()).find((one) => one.vmid === vmid);
  if (vm === undefined) throw new UnderWay('qmclone');
  const machine = await Machine.read(cluster, vm);
  // Somebody else was given the number a moment before: the next look takes another one.
  if (readUnfinished(String(machine.configuration.name), installation)?.serverId !== serverId)
    throw new UnderWay('qmclone');
  return machine;
}

/** The template of an image, on the node itself if there is one, with its disk. */
export async function templateFor(
  cluster: Cluster,
  { image, node }: Pick<WantedMachine, 'image' | 'node'>,
): Promise<BootDisk & { readonly vm: Vm }> {
  const ids = cluster.settings.images[image];
  if (ids === undefined) throw new Refused(`no template of ${image} is configured`);
  const templates = (await cluster.vms()).filter((vm) => ids.includes(vm.vmid));
  const template = templates.find((one) => one.node === node) ?? templates[0];
  if (template === undefined) throw new Refused(`the template of ${image} is not there`);
  const configuration = await cluster.get(`/nodes/${template.node}/qemu/${template.vmid}/config`, Settings);
  const disk = bootDisk(configuration);
  if (disk === null) throw new Refused(`the template of ${image} has no disk`);
  return { ...disk, vm: template };
}

/** Disk, seed and firewall, then everything of the configuration at once: with that it is the server's machine. */
async function finish(
  clone: Machine,
  wanted: WantedMachine,
  record: MachineRecord,
  rules: readonly FirewallRule[],
): Promise<void> {
  const { cluster, vm } = clone;
  cluster.reached('disk');
  await grow(clone, record.disk);
  cluster.reached('seed');
  const volume = await storeSeed(cluster, vm, seedFor(wanted, record, cluster), 0);
  cluster.reached('firewall');
  await ensureFirewall({ cluster, path: (below) => clone.path(below) }, record, rules);
  cluster.reached('commit');
  const ready = await Machine.read(cluster, vm);
  await ready.configure({
    ...configurationOf(record, cluster.settings),
    [SEED_DRIVE]: `${volume},media=cdrom`,
    // There from the first start: drives cannot be added to what runs.
    [MEDIUM_DRIVE]: NO_MEDIUM,
    onboot: wanted.power === 'stopped' ? 0 : 1,
  });
}

function seedFor(wanted: WantedMachine, machine: MachineRecord, { settings }: Cluster): Seed {
  const { username, password, sshKeys, userData } = wanted;
  const passwordHash = password === null ? null : hashPassword(password);
  const login = { username, passwordHash, sshKeys };
  return seedOf({ machine, login, userData, passwordRevision: 0, resolvers: settings.network.resolvers });
}
