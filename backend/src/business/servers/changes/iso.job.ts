import { z } from 'zod';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import { LASTING } from './change.ts';
import { changeJob } from './change-job.ts';
import { ISO, serverMediumChanged } from './medium.ts';

/** Changes what is in the drive of a server, and what it starts from first. */
export default changeJob({
  name: ISO,
  goesOnIn: LASTING,
  wanted: z.object({
    medium: z.object({ name: z.string(), sha256: z.string(), first: z.boolean() }).nullable(),
  }),
  command({ hypervisor }, { machine, wanted: { medium } }) {
    const wanted = medium && { name: medium.name, sha256: medium.sha256, bootFirst: medium.first };
    return hypervisor.ensureMedium(machine, wanted);
  },
  done(_tx, { uow }, { server, wanted: { medium }, task }, { requiresReboot }) {
    const [iso, iso_first] = [medium?.name ?? null, medium?.first ?? false];
    uow.changes.add(serverMediumChanged, { id: server.id, iso, iso_first });
    bumpVersion(uow, server.id);
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.iso_changed',
      resource: task.resource,
      body: { iso, boot: iso_first ? 'iso' : 'disk', requires_reboot: requiresReboot },
    });
  },
});
