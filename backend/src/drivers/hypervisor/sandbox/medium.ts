import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CommandOutcome } from '../../outcome.ts';
import type { MachineHardware, MachineRef, WantedMedium } from '../port.ts';
import { HARDWARE } from './hardware.ts';

const change = statement<object>(
  'sandbox_medium',
  'UPDATE sandbox.machines SET medium = $2, medium_first = $3 WHERE server_id = $1 RETURNING server_id',
);

/** By this name there is nothing: so that it can be seen what then happens. */
export const MISSING = 'none';

/** Every other medium is there. */
export async function changeMedium(
  db: Executor,
  { serverId }: MachineRef,
  wanted: WantedMedium | null,
): Promise<CommandOutcome<{ requiresReboot: boolean }>> {
  if (wanted?.name === MISSING) return { kind: 'refused', reason: 'there is no such medium' };
  const changed = await db.run(change, [serverId, wanted?.name ?? null, wanted?.bootFirst ?? false]);
  return changed.length === 0
    ? { kind: 'refused', reason: 'there is no such machine' }
    : { kind: 'done', result: { requiresReboot: false } };
}

const DRIVE = 'cdrom0';
const RESCUE_DISK = 'rescue0';

export interface Bootable {
  readonly medium: string | null;
  readonly medium_first: boolean;
  readonly rescue_id: string | null;
}

/** What a machine is built of, with what it starts from. */
export function hardwareOf({ medium, medium_first, rescue_id }: Bootable): MachineHardware {
  const own = medium_first ? [DRIVE, ...HARDWARE.bootOrder] : HARDWARE.bootOrder;
  const last = medium !== null && !medium_first ? [DRIVE] : [];
  return { ...HARDWARE, bootOrder: [...(rescue_id === null ? [] : [RESCUE_DISK]), ...own, ...last] };
}
