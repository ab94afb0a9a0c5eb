import { OPEN } from '../../../base/firewall.ts';
import type { WantedMachine } from '../port.ts';
import { type SeedLogin, seedOf } from './cloud-init.ts';
import { buildGeneration, commitGeneration, removeOtherGenerations } from './disk.ts';
import { findImage } from './image.ts';
import { hashed, isPassword } from './login.ts';
import { type Machine, Refused } from './machine.ts';
import type { FoundState } from './probe.ts';
import type { MachineRecord } from './record.ts';

const BYTES_PER_GIB = 1024 ** 3;

/**
 * Installs a machine, anew if it is of an earlier generation. Until `commit` it is what it was; from then on it is of the
 * wanted generation, whose disk nothing writes again (rule G1).
 */
export async function install(
  machine: Machine,
  wanted: WantedMachine,
  before: FoundState | null,
): Promise<FoundState> {
  const { node } = machine;
  const image = await findImage(node, wanted.image);
  if (image === null) throw new Refused(`${node.name} has no image ${wanted.image}`);
  if (image.virtualSize > wanted.disk * BYTES_PER_GIB)
    throw new Refused(`${wanted.image} needs a larger disk`);
  if (wanted.password !== null && !isPassword(wanted.password))
    throw new Refused('the password cannot be typed at a prompt');
  const record: MachineRecord = {
    serverId: wanted.serverId,
    host: wanted.host,
    generation: wanted.generation,
    hostname: wanted.hostname,
    image: image.sha256,
    cores: wanted.cores,
    memory: wanted.memory,
    disk: wanted.disk,
    uplink: wanted.uplink,
    ipv4: [...wanted.ipv4],
    ipv6: [...wanted.ipv6],
    mail: before?.record.mail ?? false,
    nullRouted: before?.record.nullRouted ?? [],
    firewall: before?.record.firewall ?? OPEN,
    medium: null,
    rescue: null,
    power: wanted.power,
    poweredOff: false,
    // Counted by the books through all generations.
    reboots: before?.record.reboots ?? 0,
    rebooting: null,
    passwordRevision: before?.record.passwordRevision ?? 0,
    restores: [],
  };
  machine.reached('build');
  const seed = seedOf({
    machine: record,
    login: await loginOf(machine, wanted),
    userData: wanted.userData,
    passwordRevision: 0,
    resolvers: node.settings.network.resolvers,
  });
  await buildGeneration(node, record, image, seed);
  if (before?.process != null) await machine.cut();
  machine.reached('commit');
  await commitGeneration(node, record);
  machine.reached('clean');
  await removeOtherGenerations(node, record);
  return await machine.found();
}

async function loginOf({ node }: Machine, wanted: WantedMachine): Promise<SeedLogin> {
  const { username, password, sshKeys } = wanted;
  return { username, passwordHash: password === null ? null : await hashed(node, password), sshKeys };
}
