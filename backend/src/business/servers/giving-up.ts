import { type Instant, isBefore } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { HypervisorQueries } from '../../drivers/hypervisor/port.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import type { Frame } from '../accounts/frame.ts';
import { changeJobOf } from './change.ts';

const DEADLINE_MS = 3_000;
/** How long a hypervisor that answers may take for work before an operator may give it up. */
const PATIENCE = { hours: 1 };

/** Work on a server that is queued or under way. */
export interface OpenChange {
  readonly server_id: string;
  readonly host: string;
  readonly node: string;
  readonly type: string;
  readonly created_at: Instant;
}

const find = statement<OpenChange>(
  'find_change_of_task',
  `SELECT c.server_id, v.host, v.node, t.type, t.created_at FROM server_changes c
   JOIN tasks t ON t.id = c.task_id JOIN servers v ON v.id = c.server_id WHERE c.task_id = $1`,
);
const mark = statement<object>(
  'give_up_server_change',
  'UPDATE server_changes SET given_up_at = $2 WHERE task_id = $1 RETURNING server_id',
);

/** null: it is over, or no work on a server. */
export async function openChange(db: Executor, taskId: string): Promise<OpenChange | null> {
  const [found] = await db.run(find, [taskId]);
  return found ?? null;
}

/**
 * Whether it goes on by itself, so that giving it up could only do harm: the hypervisor answers, and did not have long.
 * What cannot be told from its back end is left to the operator.
 */
export async function goesOn(
  hypervisor: HypervisorQueries,
  { server_id: serverId, host, node, created_at }: OpenChange,
  now: Instant,
): Promise<boolean> {
  if (!isBefore(now, created_at.add(PATIENCE))) return false;
  try {
    await hypervisor.status({ serverId, host, node }, DEADLINE_MS);
    return true;
  } catch (error) {
    if (error instanceof BackendUnavailable) return false;
    throw error;
  }
}

/**
 * Gives work on a server up, whose service must be locked: its job ends it without asking the hypervisor, as it ends what
 * was refused. What was commanded may still come about: power is made what the books say, and what else differs is
 * reported by the comparison (rule C3). Whether it was still open.
 */
export async function giveUpChange(
  tx: Transaction,
  frame: Frame,
  taskId: string,
  { type, server_id }: OpenChange,
): Promise<boolean> {
  const marked = await tx.run(mark, [taskId, frame.now]);
  if (marked.length === 0) return false;
  frame.jobs.push(changeJobOf(type, server_id));
  return true;
}
