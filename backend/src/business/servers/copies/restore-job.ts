import type { z } from 'zod';
import type { Transaction } from '../../../db/transaction.ts';
import type { Hypervisor, MachineRef } from '../../../drivers/hypervisor/port.ts';
import { BackendUnavailable, type CommandOutcome } from '../../../drivers/outcome.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Job } from '../../../work/job.ts';
import { type Changing, changeJob } from '../changes/change-job.ts';
import { convergeServer } from '../machine/convergence.ts';
import type { Server } from '../server.ts';

interface RestoreJob<W extends z.ZodType> {
  /** The type of the tasks that it finishes. */
  readonly name: string;
  readonly wanted: W;
  restore(
    hypervisor: Hypervisor,
    machine: MachineRef,
    wanted: z.output<W>,
    restoreId: string,
  ): Promise<CommandOutcome<null>>;
  restored?(tx: Transaction, uow: UnitOfWork, server: Server, wanted: z.output<W>): Promise<void>;
}

/**
 * A job that puts a disk back: cuts the machine's power, restores once for its task, however often it runs, and leaves it
 * to the books' enforcement whether the machine runs then.
 */
export function restoreJob<W extends z.ZodType>({ name, wanted, restore, restored }: RestoreJob<W>): Job {
  async function putBack(
    hypervisor: Hypervisor,
    { machine, wanted: of, task }: Changing<z.output<W>>,
  ): Promise<CommandOutcome<true>> {
    const stopped = await hypervisor.ensurePower(machine, 'stopped');
    if (stopped.kind !== 'done') return stopped;
    const outcome = await restore(hypervisor, machine, of, task.id);
    return outcome.kind === 'done' ? { kind: 'done', result: true } : outcome;
  }

  return changeJob({
    name,
    wanted,
    command: ({ hypervisor }, change) => putBack(hypervisor, change),
    // No hypervisor tells whether it put a disk back, or half of it: it is asked to once more, which does nothing where it
    // did. What was not begun is not: a disk may have to stay as it was when its server was suspended.
    async lookUp({ hypervisor }, change) {
      if (!change.isBegun) return null;
      const outcome = await putBack(hypervisor, change);
      if (outcome.kind === 'pending') throw new BackendUnavailable('hypervisor');
      return outcome.kind === 'done' ? outcome.result : null;
    },
    async done(tx, { uow }, { server, wanted: of }) {
      await restored?.(tx, uow, server, of);
      convergeServer(uow, server.id);
    },
    refused(_tx, { uow }, { server }) {
      convergeServer(uow, server.id);
      return undefined;
    },
  });
}
