import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { QueuedJob } from '../../../work/queue.ts';

/** The job that removes a copy of a server's disk that nobody wants any more. */
export const REMOVE_COPY = 'server.remove_copy';

export type CopyKind = 'snapshot' | 'backup';

export function copyRemovalJob(kind: CopyKind, id: string): QueuedJob {
  return { name: REMOVE_COPY, payload: { kind, id }, key: `${REMOVE_COPY}:${id}` };
}

const forget = statement<object>(
  'forget_disk_copies',
  `WITH snapshots AS (DELETE FROM server_snapshots WHERE server_id = $1),
   backups AS (DELETE FROM server_backups WHERE server_id = $1)
   DELETE FROM server_backup_schedules WHERE server_id = $1`,
);

/** Of a server whose machine is gone, with everything that was kept of its disk. */
export async function forgetDiskCopies(tx: Transaction, serverId: string): Promise<void> {
  await tx.run(forget, [serverId]);
}
