import { z } from 'zod';
import type { CommandOutcome } from '../../../drivers/outcome.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { changeJob } from './change-job.ts';
import { initialPasswordForgotten, PASSWORD, PASSWORD_METHODS } from './password.ts';
import { restart } from './restart.ts';

type Changed = CommandOutcome<{ readonly requiresReboot: boolean }>;

/** Changes the password of a server, and restarts it where that is needed and wanted. */
export default changeJob({
  name: PASSWORD,
  wanted: z.object({
    username: z.string(),
    method: z.enum(PASSWORD_METHODS),
    revision: z.int(),
    /** The number of the restart; null: none is wanted. */
    reboot: z.int().nullable(),
  }),
  async command({ hypervisor }, { machine, wanted, secret, isDue }): Promise<Changed> {
    if (secret === null) throw new Error('the password to set is gone');
    const { username, method, revision, reboot } = wanted;
    const set = await hypervisor.ensurePassword(machine, { username, password: secret, revision, method });
    if (set.kind !== 'done' || !set.result.requiresReboot || reboot === null) return set;
    // A system that does not follow is cut off: the restart was asked for, and without it nothing would have changed.
    const restarted = await restart(hypervisor, machine, reboot, { isDue, force: true });
    if (restarted.kind === 'pending') return restarted;
    // Refused, it was switched off meanwhile: the password is there when it starts.
    return { kind: 'done', result: { requiresReboot: false } };
  },
  done(_tx, { uow }, { server, wanted: { username, method }, task }, { requiresReboot }) {
    uow.changes.add(initialPasswordForgotten, { id: server.id });
    bumpVersion(uow, server.id);
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.password_changed',
      resource: task.resource,
      body: { username, method, requires_reboot: requiresReboot },
    });
  },
  // A run before this one may have changed it, whose outcome nobody heard: then the initial one need not hold.
  refused(_tx, { uow }, { server, isBegun }) {
    if (isBegun) uow.changes.add(initialPasswordForgotten, { id: server.id });
    return undefined;
  },
});
