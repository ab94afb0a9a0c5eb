import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';

/** What a customer does not want to happen to a server by mistake. */
export interface Protection {
  readonly delete: boolean;
  readonly reinstall: boolean;
}

const change = statement<object>(
  'protect_server',
  `UPDATE servers SET protect_delete = $2, protect_reinstall = $3
   WHERE id = $1 AND (protect_delete, protect_reinstall) <> ($2, $3) RETURNING id`,
);

/** Whether it was otherwise before. */
export async function changeProtection(
  tx: Transaction,
  serverId: string,
  wanted: Protection,
): Promise<boolean> {
  return (await tx.run(change, [serverId, wanted.delete, wanted.reinstall])).length > 0;
}
