import type { WantedFirewall } from '../../../base/firewall.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CommandOutcome } from '../../outcome.ts';
import type { MachineRef } from '../port.ts';

const change = statement<object>(
  'sandbox_firewall',
  'UPDATE sandbox.machines SET firewall = $2::jsonb WHERE server_id = $1 RETURNING server_id',
);

export async function changeFirewall(
  db: Executor,
  { serverId }: MachineRef,
  wanted: WantedFirewall,
): Promise<CommandOutcome<null>> {
  const changed = await db.run(change, [serverId, JSON.stringify(wanted)]);
  return changed.length === 0
    ? { kind: 'refused', reason: 'there is no such machine' }
    : { kind: 'done', result: null };
}
