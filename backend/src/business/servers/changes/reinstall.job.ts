import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { snapshotsRemoved } from '../copies/snapshot.ts';
import { wantedMachine } from '../machine/desired-machine.ts';
import { changeJob } from './change-job.ts';
import { PASSWORD_PURPOSE } from './login.ts';
import { REINSTALL, Reinstallation, readSecrets, serverReinstalled } from './reinstall.ts';

/** Installs a machine anew, once for each generation (rule G1), and starts it. */
export default changeJob({
  name: REINSTALL,
  wanted: Reinstallation,
  command(ports, { server, wanted, secret }) {
    const { os, hostname, username, generation, ssh_keys: sshKeys } = wanted;
    const { password, user_data: userData } = readSecrets(secret);
    const renewed = { ...server, os, hostname, username, generation, wanted_power: 'running' as const };
    return ports.hypervisor.ensureMachine(wantedMachine(renewed, { sshKeys, password, userData }));
  },
  async lookUp({ hypervisor }, { machine, wanted }) {
    const { machines, unreachableNodes } = await hypervisor.list(machine.host);
    const found = machines.find(({ serverId }) => serverId === machine.serverId);
    if (found === undefined && unreachableNodes.includes(machine.node))
      throw new BackendUnavailable('hypervisor');
    return found !== undefined && found.generation >= wanted.generation ? { power: found.power } : null;
  },
  async done(tx, { uow, sealer }, { server, wanted, secret, task }, { power }) {
    // Deleted meanwhile: the machine goes again, and nothing is kept of what is gone, least of all a password.
    if (server.state === 'deleted') return;
    const { os, hostname, username, generation, ssh_keys } = wanted;
    uow.changes.add(serverReinstalled, {
      id: server.id,
      os,
      hostname,
      username,
      ssh_keys: JSON.stringify(ssh_keys),
      password_sealed: sealer.seal(PASSWORD_PURPOSE, readSecrets(secret).password),
      generation,
      power_state: power,
    });
    bumpVersion(uow, server.id);
    // They were inside the disk that is gone.
    await snapshotsRemoved(tx, server.id);
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.reinstalled',
      resource: task.resource,
      body: { os, hostname, generation },
    });
  },
});
