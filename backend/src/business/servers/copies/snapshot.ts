import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

export const SNAPSHOT = 'server.snapshot';
export const SNAPSHOT_RESTORE = 'server.snapshot_restore';

/** Of one server: each may grow to the size of its disk, and makes the disk slower. */
export const MOST_SNAPSHOTS = 3;

/** A disk as it was, inside itself. */
export interface Snapshot {
  readonly id: string;
  readonly name: string;
  readonly state: 'pending' | 'available' | 'deleting';
  readonly created_at: Instant;
  readonly taken_at: Instant | null;
}

const COLUMNS = 'id, name, state, created_at, taken_at FROM server_snapshots WHERE server_id = $1';
const list = statement<Snapshot>('list_snapshots', `SELECT ${COLUMNS} ORDER BY created_at DESC, id DESC`);
const find = statement<Snapshot>('find_snapshot', `SELECT ${COLUMNS} AND id = $2 AND state <> 'deleting'`);
const insert = statement<object>(
  'insert_snapshot',
  "INSERT INTO server_snapshots (id, server_id, name, state, created_at) VALUES ($1, $2, $3, 'pending', $4)",
);
const take = statement<object>(
  'snapshot_taken',
  "UPDATE server_snapshots SET state = 'available', taken_at = $2 WHERE id = $1",
);
const markDeleting = statement<object>(
  'snapshot_deleting',
  "UPDATE server_snapshots SET state = 'deleting' WHERE id = $1",
);
const remove = statement<object>('snapshot_removed', 'DELETE FROM server_snapshots WHERE id = $1');
const removeAll = statement<object>('snapshots_removed', 'DELETE FROM server_snapshots WHERE server_id = $1');

/** Newest first; those that are being removed are among them. */
export function listSnapshots(db: Executor, serverId: string): Promise<Snapshot[]> {
  return db.run(list, [serverId]);
}

export async function findSnapshot(db: Executor, serverId: string, id: string): Promise<Snapshot | null> {
  const [found] = await db.run(find, [serverId, id]);
  return found ?? null;
}

/** Adds a snapshot that is to be taken; its id. */
export async function addSnapshot(
  tx: Transaction,
  serverId: string,
  name: string,
  now: Instant,
): Promise<string> {
  const id = randomUUIDv7();
  await tx.run(insert, [id, serverId, name, now]);
  return id;
}

export async function snapshotTaken(tx: Transaction, id: string, takenAt: Instant): Promise<void> {
  await tx.run(take, [id, takenAt]);
}

/** From here on it cannot be restored, and its job removes it. */
export async function snapshotDeleting(tx: Transaction, id: string): Promise<void> {
  await tx.run(markDeleting, [id]);
}

export async function snapshotRemoved(tx: Transaction, id: string): Promise<void> {
  await tx.run(remove, [id]);
}

/** Of a disk that is not there any more, whatever took its place. */
export async function snapshotsRemoved(tx: Transaction, serverId: string): Promise<void> {
  await tx.run(removeAll, [serverId]);
}
