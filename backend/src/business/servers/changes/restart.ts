import type { Hypervisor, MachineRef, PowerState } from '../../../drivers/hypervisor/port.ts';
import type { CommandOutcome } from '../../../drivers/outcome.ts';

/** What a change is refused with whose system inside the machine did not do its part. */
export const NOT_IN_TIME = 'the system in the machine did not end in time';

export interface Patience {
  /** Whether it was waited for long enough. */
  readonly isDue: boolean;
  /** What then: cut the power, or give up. */
  readonly force: boolean;
}

export type Powered = CommandOutcome<{ readonly power: PowerState; readonly forced: boolean }>;

/** Asks the system in the machine to shut down, and waits for it as long as it may. */
export async function shutDown(
  hypervisor: Hypervisor,
  machine: MachineRef,
  patience: Patience,
): Promise<Powered> {
  const asked = await hypervisor.ensureShutdown(machine);
  return await orForced(asked, patience, () => hypervisor.ensurePower(machine, 'stopped'));
}

/** Asks the system in the machine to start anew, for this number once, and waits for it as long as it may. */
export async function restart(
  hypervisor: Hypervisor,
  machine: MachineRef,
  reboot: number,
  patience: Patience,
): Promise<Powered> {
  const asked = await hypervisor.ensureRebooted(machine, reboot, 'graceful');
  return await orForced(asked, patience, () => hypervisor.ensureRebooted(machine, reboot, 'reset'));
}

async function orForced(
  asked: CommandOutcome<{ readonly power: PowerState }>,
  { isDue, force }: Patience,
  cut: () => Promise<CommandOutcome<{ readonly power: PowerState }>>,
): Promise<Powered> {
  if (asked.kind !== 'pending' || !isDue) return powered(asked, false);
  if (!force) return { kind: 'refused', reason: NOT_IN_TIME };
  return powered(await cut(), true);
}

/** An outcome with whether the power was cut for it. */
export function powered(outcome: CommandOutcome<{ readonly power: PowerState }>, forced: boolean): Powered {
  return outcome.kind === 'done' ? { kind: 'done', result: { ...outcome.result, forced } } : outcome;
}
