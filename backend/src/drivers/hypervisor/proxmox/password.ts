import type { WantedPassword } from '../port.ts';
import { seedOf } from '../qemu/cloud-init.ts';
import { SEED_DRIVE } from './configuration.ts';
import { hashPassword, isPassword } from './crypt.ts';
import type { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { Refused } from './refusal.ts';
import { removeSeeds, storeSeed } from './seed.ts';

/**
 * Changes a login's password, once for each revision. By cloud-init it is a new instance for it, whose seed has neither
 * user data nor a wish for other host keys (rule G3).
 */
export async function setPassword(
  machine: Machine,
  { username, password, revision, method }: WantedPassword,
): Promise<{ requiresReboot: boolean }> {
  const { record, cluster, vm } = machine;
  const isOn = powerOf(await machine.current()) !== 'stopped';
  const requiresReboot = method === 'cloud_init' && isOn;
  if (record.passwordRevision >= revision) return { requiresReboot };
  if (!isPassword(password)) throw new Refused('the password cannot be typed at a prompt');
  const passwordHash = hashPassword(password);
  const next = { ...record, passwordRevision: revision };
  if (method === 'guest_agent') {
    await cluster.change('POST', machine.path('/agent/set-user-password'), {
      ...{ username, password: passwordHash, crypted: 1 },
    });
    await machine.write(next);
    return { requiresReboot };
  }
  const { resolvers } = cluster.settings.network;
  const login = { username, passwordHash, sshKeys: [] };
  const seed = seedOf({ machine: record, login, userData: null, passwordRevision: revision, resolvers });
  cluster.reached('seed');
  const volume = await storeSeed(cluster, vm, seed, revision);
  cluster.reached('commit');
  await machine.write(next, { [SEED_DRIVE]: `${volume},media=cdrom` });
  await removeSeeds(cluster, vm, volume);
  return { requiresReboot };
}
