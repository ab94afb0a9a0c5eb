import { z } from 'zod';
import type { PowerState } from '../../../drivers/hypervisor/port.ts';
import type { CommandOutcome } from '../../../drivers/outcome.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { GIVEN_UP } from '../../selling/orders/hold.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { convergeServer } from '../machine/convergence.ts';
import { changeJob, OFF } from './change-job.ts';
import { RESCUE, serverMayBeRescued, serverRescued } from './rescue.ts';

/** Has a server run the rescue system: cuts its power, and starts it from there. The system is made once for its task. */
export default changeJob({
  name: RESCUE,
  wanted: z.object({ image: z.string(), username: z.string(), ssh_keys: z.array(z.string()) }),
  async command(
    { hypervisor },
    { machine, wanted, secret, task },
  ): Promise<CommandOutcome<{ readonly power: PowerState }>> {
    const stopped = await hypervisor.ensurePower(machine, 'stopped');
    if (stopped.kind !== 'done') return stopped;
    const { image, username, ssh_keys: sshKeys } = wanted;
    const system = { rescueId: task.id, image, username, password: secret, sshKeys };
    const rescued = await hypervisor.ensureRescue(machine, system);
    return rescued.kind === 'done' ? await hypervisor.ensurePower(machine, 'running') : rescued;
  },
  done(_tx, { uow }, { server, wanted: { username }, task }, { power: power_state }) {
    uow.changes.add(serverRescued, { id: server.id, rescue_since: uow.now, power_state });
    bumpVersion(uow, server.id);
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.rescue_started',
      resource: task.resource,
      body: { username },
    });
  },
  refused(_tx, { uow }, { server }, reason) {
    // It may have been rescued by a run before this one.
    if (reason === OFF || reason === GIVEN_UP)
      uow.changes.add(serverMayBeRescued, { id: server.id, rescue_since: uow.now });
    // Its power was cut for this.
    convergeServer(uow, server.id);
    return undefined;
  },
});
