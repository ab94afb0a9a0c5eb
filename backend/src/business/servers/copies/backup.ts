import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

export const BACKUP = 'server.backup';
export const BACKUP_RESTORE = 'server.backup_restore';

export type BackupKind = 'manual' | 'scheduled';

/** A copy of a disk, away from it. */
export interface Backup {
  readonly id: string;
  readonly kind: BackupKind;
  readonly name: string;
  readonly state: 'pending' | 'available' | 'deleting';
  readonly size_bytes: bigint | null;
  readonly created_at: Instant;
  readonly finished_at: Instant | null;
}

const COLUMNS = `id, kind, name, state, size_bytes, created_at, finished_at FROM server_backups
   WHERE server_id = $1 AND state <> 'deleting'`;
const list = statement<Backup>('list_backups', `SELECT ${COLUMNS} ORDER BY created_at DESC, id DESC`);
const find = statement<Backup>('find_backup', `SELECT ${COLUMNS} AND id = $2`);
const insert = statement<object>(
  'insert_backup',
  `INSERT INTO server_backups (id, server_id, kind, name, state, created_at, os, hostname, username)
   SELECT $1, v.id, $3, $4, 'pending', $5, v.os, v.hostname, v.username FROM servers v WHERE v.id = $2`,
);
const finish = statement<object>(
  'backup_taken',
  "UPDATE server_backups SET state = 'available', size_bytes = $2, finished_at = $3 WHERE id = $1",
);
const markDeleting = statement<object>(
  'backup_deleting',
  "UPDATE server_backups SET state = 'deleting' WHERE id = $1",
);
const remove = statement<object>('backup_removed', 'DELETE FROM server_backups WHERE id = $1');
// The newest scheduled ones stay, as many as the schedule keeps and as there are slots beside the manual ones.
const outdate = statement<{ id: string }>(
  'outdate_backups',
  `UPDATE server_backups SET state = 'deleting' WHERE id IN (
     SELECT id FROM server_backups WHERE server_id = $1 AND kind = 'scheduled' AND state = 'available'
     ORDER BY created_at DESC, id DESC
     OFFSET least($2, greatest(0, $3 - (SELECT count(*)::int FROM server_backups
       WHERE server_id = $1 AND kind = 'manual' AND state <> 'deleting'))))
   RETURNING id`,
);

/** Newest first. */
export function listBackups(db: Executor, serverId: string): Promise<Backup[]> {
  return db.run(list, [serverId]);
}

export async function findBackup(db: Executor, serverId: string, id: string): Promise<Backup | null> {
  const [found] = await db.run(find, [serverId, id]);
  return found ?? null;
}

/** Adds a backup that is to be made, of what is installed now: nothing is installed until it is made. Its id. */
export async function addBackup(
  tx: Transaction,
  serverId: string,
  { kind, name, now }: { readonly kind: BackupKind; readonly name: string; readonly now: Instant },
): Promise<string> {
  const id = randomUUIDv7();
  await tx.run(insert, [id, serverId, kind, name, now]);
  return id;
}

export async function backupTaken(
  tx: Transaction,
  id: string,
  sizeBytes: number,
  now: Instant,
): Promise<void> {
  await tx.run(finish, [id, sizeBytes, now]);
}

export async function backupDeleting(tx: Transaction, id: string): Promise<void> {
  await tx.run(markDeleting, [id]);
}

export async function backupRemoved(tx: Transaction, id: string): Promise<void> {
  await tx.run(remove, [id]);
}

/** Marks the scheduled backups that are too many now, the oldest, to be removed; which. */
export async function outdateBackups(
  tx: Transaction,
  serverId: string,
  { keep, slots }: { readonly keep: number; readonly slots: number },
): Promise<string[]> {
  return (await tx.run(outdate, [serverId, keep, slots])).map(({ id }) => id);
}
