import type { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Hypervisor, MachineRef } from '../../drivers/hypervisor/port.ts';
import type { CommandOutcome } from '../../drivers/outcome.ts';
import type { Job } from '../../work/job.ts';
import { changeJob } from './change-job.ts';
import { enforceServer } from './enforcement.ts';
import type { Server } from './server.ts';

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
  restored?(tx: Transaction, server: Server, wanted: z.output<W>): Promise<void>;
}

/**
 * A job that puts a disk back: cuts the machine's power, restores once for its task, however often it runs, and leaves it
 * to the books' enforcement whether the machine runs then.
 */
export function restoreJob<W extends z.ZodType>({ name, wanted, restore, restored }: RestoreJob<W>): Job {
  return changeJob({
    name,
    wanted,
    async command({ hypervisor }, { machine, wanted: of, task }) {
      const stopped = await hypervisor.ensurePower(machine, 'stopped');
      return stopped.kind === 'done' ? await restore(hypervisor, machine, of, task.id) : stopped;
    },
    async done(tx, { frame }, { server, wanted: of }) {
      await restored?.(tx, server, of);
      enforceServer(frame, server.id);
    },
    refused(_tx, { frame }, { server }) {
      enforceServer(frame, server.id);
      return undefined;
    },
  });
}
