import { z } from 'zod';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { convergeServer } from '../machine/convergence.ts';
import { LASTING } from './change.ts';
import { changeJob } from './change-job.ts';
import { RESCUE_END, rescueEnded } from './rescue.ts';

/** Has a server run its own system again: cuts its power, and leaves it to the books' enforcement whether it runs then. */
export default changeJob({
  name: RESCUE_END,
  goesOnIn: LASTING,
  wanted: z.object({}),
  async command({ hypervisor }, { machine }) {
    const stopped = await hypervisor.ensurePower(machine, 'stopped');
    return stopped.kind === 'done' ? await hypervisor.ensureRescue(machine, null) : stopped;
  },
  done(_tx, { uow }, { server, task }) {
    uow.changes.add(rescueEnded, { id: server.id });
    bumpVersion(uow, server.id);
    convergeServer(uow, server.id);
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.rescue_ended',
      resource: task.resource,
      body: {},
    });
  },
  refused(_tx, { uow }, { server }) {
    convergeServer(uow, server.id);
    return undefined;
  },
});
