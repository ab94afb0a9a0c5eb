import { z } from 'zod';
import type { WantedPower } from '../../../drivers/hypervisor/port.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { changeJob } from './change-job.ts';
import { POWER, POWER_ACTIONS, serverSwitched, serverWantsPower } from './power.ts';
import { NOT_IN_TIME, type Powered, powered, restart, shutDown } from './restart.ts';

const power = z.enum(['running', 'stopped', 'paused']);

/** Does to a machine's power what its customer asked for. */
export default changeJob({
  name: POWER,
  wanted: z.object({
    action: z.enum(POWER_ACTIONS),
    expected: power,
    /** What the books wanted before. */
    previous: power,
    /** The number of the restart, where it is one. */
    reboot: z.int().nullable(),
    force: z.boolean(),
  }),
  async command({ hypervisor }, { machine, wanted, isDue }): Promise<Powered> {
    const { action, expected, reboot, force } = wanted;
    if (action === 'shutdown') return await shutDown(hypervisor, machine, { isDue, force });
    if (reboot === null) return powered(await hypervisor.ensurePower(machine, expected), false);
    if (action === 'reboot') return await restart(hypervisor, machine, reboot, { isDue, force });
    return powered(await hypervisor.ensureRebooted(machine, reboot, 'reset'), true);
  },
  done(_tx, { uow }, { server, wanted, task }, { power: power_state, forced }) {
    const { action, expected: wanted_power } = wanted;
    uow.changes.add(serverSwitched, { id: server.id, wanted_power, power_state });
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.power_changed',
      resource: task.resource,
      body: { action, power_state, forced },
    });
  },
  refused(_tx, { uow }, { server, wanted }, reason) {
    const previous: WantedPower = wanted.previous;
    if (server.wanted_power !== previous)
      uow.changes.add(serverWantsPower, { id: server.id, wanted_power: previous });
    return reason === NOT_IN_TIME ? 'guest_not_responding' : undefined;
  },
});
