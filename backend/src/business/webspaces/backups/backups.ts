import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { QueuedJob } from '../../../work/queue.ts';
import { BACKUP } from '../webspace-jobs.ts';

export type BackupKind = 'manual' | 'scheduled';

export interface StoredBackup {
  readonly id: string;
  readonly kind: BackupKind;
  readonly state: 'pending' | 'available' | 'failed';
  readonly size_bytes: bigint;
  readonly created_at: Instant;
  readonly finished_at: Instant | null;
}

export const REMOVE_BACKUP = 'webspace.backup_remove';

export function backupJob(backupId: string): QueuedJob {
  return { name: BACKUP, payload: { backup_id: backupId }, key: `${BACKUP}:${backupId}` };
}

export function backupRemovalJob(backupId: string): QueuedJob {
  return { name: REMOVE_BACKUP, payload: { backup_id: backupId }, key: `${REMOVE_BACKUP}:${backupId}` };
}

const list = statement<StoredBackup>(
  'list_webspace_backups',
  `SELECT id, kind, state, size_bytes, created_at, finished_at FROM webspace_backups
   WHERE webspace_id = $1 AND state <> 'deleting' ORDER BY created_at DESC, id DESC`,
);
const find = statement<StoredBackup>(
  'find_webspace_backup',
  `SELECT id, kind, state, size_bytes, created_at, finished_at FROM webspace_backups
   WHERE webspace_id = $1 AND id = $2 AND state <> 'deleting'`,
);
const insert = statement<object>(
  'insert_webspace_backup',
  `INSERT INTO webspace_backups (id, webspace_id, kind, state, task_id, created_at)
   VALUES ($1, $2, $3, 'pending', $4, $5)`,
);
const finish = statement<object>(
  'finish_webspace_backup',
  `UPDATE webspace_backups SET state = $2, size_bytes = $3, finished_at = $4 WHERE id = $1 AND state = 'pending'`,
);
const outdated = statement<{ id: string }>(
  'outdate_webspace_backups',
  `UPDATE webspace_backups SET state = 'deleting'
   WHERE id IN (SELECT id FROM webspace_backups WHERE webspace_id = $1 AND state = 'available'
                ORDER BY created_at DESC, id DESC OFFSET $2)
   RETURNING id`,
);

export function listBackups(db: Executor, webspaceId: string): Promise<StoredBackup[]> {
  return db.run(list, [webspaceId]);
}

export async function findBackup(db: Executor, webspaceId: string, id: string): Promise<StoredBackup | null> {
  const [found] = await db.run(find, [webspaceId, id]);
  return found ?? null;
}

/** Adds a backup that is to be made; its id. */
export async function addBackup(
  tx: Transaction,
  webspaceId: string,
  kind: BackupKind,
  taskId: string | null,
  now: Instant,
): Promise<string> {
  const id = randomUUIDv7();
  await tx.run(insert, [id, webspaceId, kind, taskId, now]);
  return id;
}

export async function finishBackup(
  tx: Transaction,
  id: string,
  sizeBytes: number | null,
  now: Instant,
): Promise<void> {
  await tx.run(finish, [id, sizeBytes === null ? 'failed' : 'available', sizeBytes ?? 0, now]);
}

/** Marks the backups that are too many now, the oldest, to be removed; which. */
export async function outdateBackups(tx: Transaction, webspaceId: string, kept: number): Promise<string[]> {
  return (await tx.run(outdated, [webspaceId, kept])).map(({ id }) => id);
}
