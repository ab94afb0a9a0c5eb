import { CHANGEABLE, workOn } from '../../business/servers/changes/change.ts';
import type { Server } from '../../business/servers/server.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';

/** How any work on a server is refused. */
export const CHANGE_ERRORS = ['not_found', 'state_conflict', 'resource_locked'] as const;

type Transaction = Parameters<typeof workOn>[0];

interface Refuser<Code> {
  refusal(code: Code, detail?: RefusalDetail): Refusal;
}

/** Refuses what cannot be while a server is off, or not there yet (rule E1). */
export function mustBeOn(ctx: Refuser<'state_conflict'>, found: Pick<Server, 'state' | 'suspensions'>): void {
  if (CHANGEABLE.includes(found.state)) return;
  throw ctx.refusal('state_conflict', {
    members: { current_state: found.state, allowed_states: CHANGEABLE, suspensions: found.suspensions },
  });
}

/** Refuses what would reach the disk of a server while another system works on it. */
export function mustRunItsOwn(
  ctx: Refuser<'state_conflict'>,
  { rescue_since }: Pick<Server, 'rescue_since'>,
): void {
  if (rescue_since === null) return;
  throw ctx.refusal('state_conflict', {
    members: { current_state: 'rescue', allowed_states: CHANGEABLE, suspensions: [] },
  });
}

/** Refuses work on a server, whose service is locked, that is off or that a task works on already. */
export async function mustBeFree(
  ctx: Refuser<'state_conflict' | 'resource_locked'>,
  tx: Transaction,
  found: Server,
): Promise<void> {
  mustBeOn(ctx, found);
  const task = await workOn(tx, found);
  if (task === null) return;
  throw ctx.refusal('resource_locked', { members: { task_uuid: task.id, task_type: task.type } });
}
