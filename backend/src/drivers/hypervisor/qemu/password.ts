import type { WantedPassword } from '../port.ts';
import { agentSetsPassword } from './agent.ts';
import { seedOf } from './cloud-init.ts';
import { hashed, isPassword } from './login.ts';
import { type Machine, Refused } from './machine.ts';
import { changeSeed, insertSeed } from './seed-medium.ts';

/**
 * Changes a login's password, once for each revision. By cloud-init it is a new instance for it, whose seed has neither
 * user data nor a wish for other host keys (rule G3).
 */
export async function setPassword(
  machine: Machine,
  { username, password, revision, method }: WantedPassword,
): Promise<{ requiresReboot: boolean }> {
  const { record, process } = await machine.found();
  const requiresReboot = method === 'cloud_init' && process !== null;
  if (record.passwordRevision >= revision) return { requiresReboot };
  if (!isPassword(password)) throw new Refused('the password cannot be typed at a prompt');
  const passwordHash = await hashed(machine.node, password);
  if (method === 'guest_agent') {
    if (process === null) throw new Refused('the machine is off');
    if (!(await agentSetsPassword(machine, username, passwordHash)))
      throw new Refused('no guest agent sets the password');
  } else {
    const { resolvers } = machine.node.settings.network;
    const login = { username, passwordHash, sshKeys: [] };
    const seed = seedOf({ machine: record, login, userData: null, passwordRevision: revision, resolvers });
    await changeSeed(machine, record, seed);
    if (process !== null) await insertSeed(machine, record);
  }
  await machine.record({ ...record, passwordRevision: revision }, record);
  return { requiresReboot };
}
