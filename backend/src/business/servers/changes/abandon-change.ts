import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { changeJobOf } from './change.ts';

const mark = statement<object>(
  'give_up_server_change',
  'UPDATE server_changes SET given_up_at = $2 WHERE task_id = $1 RETURNING server_id',
);

/**
 * Gives work on a server up, whose service must be locked: its job ends it without asking the hypervisor, as it ends what
 * was refused. What was commanded may still come about: power is made what the books say, and what else differs is
 * reported by the comparison (rule C3). Whether it was still open.
 */
export async function abandonMachineChange(
  tx: Transaction,
  uow: UnitOfWork,
  taskId: string,
  { type, server_id }: { readonly type: string; readonly server_id: string },
): Promise<boolean> {
  const marked = await tx.run(mark, [taskId, uow.now]);
  if (marked.length === 0) return false;
  uow.jobs.push(changeJobOf(type, server_id));
  return true;
}
