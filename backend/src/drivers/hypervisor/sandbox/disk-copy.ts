import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CommandOutcome } from '../../outcome.ts';

/** A disk as it was. */
export interface DiskCopy {
  readonly serverId: string;
  readonly kind: 'snapshot' | 'backup';
  readonly id: string;
}

const BYTES_PER_FILE = 4096;

const copy = statement<object>(
  'sandbox_copy_disk',
  `INSERT INTO sandbox.disk_copies (server_id, kind, id, files, taken_at)
   SELECT server_id, $2, $3, files, $4 FROM sandbox.machines WHERE server_id = $1 ON CONFLICT DO NOTHING`,
);
const find = statement<{ taken_at: Instant; files: string[] }>(
  'sandbox_disk_copy',
  'SELECT taken_at, files FROM sandbox.disk_copies WHERE server_id = $1 AND kind = $2 AND id = $3',
);
const forget = statement<object>(
  'sandbox_forget_copy',
  'DELETE FROM sandbox.disk_copies WHERE server_id = $1 AND kind = $2 AND id = $3',
);
// A disk that comes from elsewhere has no snapshots.
const restore = statement<{ power: string; known: boolean; restored: boolean }>(
  'sandbox_restore_copy',
  `WITH kept AS (SELECT files FROM sandbox.disk_copies WHERE server_id = $1 AND kind = $2 AND id = $3),
   machine AS (
     SELECT power, EXISTS (SELECT FROM kept) AS known, $4::uuid = ANY (restores) AS restored
     FROM sandbox.machines WHERE server_id = $1),
   changed AS (
     UPDATE sandbox.machines SET files = (SELECT files FROM kept), restores = restores || $4::uuid
     WHERE server_id = $1 AND power = 'stopped' AND EXISTS (SELECT FROM machine WHERE known AND NOT restored)
     RETURNING server_id),
   gone AS (
     DELETE FROM sandbox.disk_copies c USING changed
     WHERE c.server_id = changed.server_id AND c.kind = 'snapshot' AND $2 = 'backup')
   SELECT power, known, restored FROM machine`,
);

/** null: there is no machine. */
export async function copyDisk(
  db: Executor,
  { serverId, kind, id }: DiskCopy,
  now: Instant,
): Promise<{ takenAt: Instant; sizeBytes: number } | null> {
  await db.run(copy, [serverId, kind, id, now]);
  const [row] = await db.run(find, [serverId, kind, id]);
  return row === undefined
    ? null
    : { takenAt: row.taken_at, sizeBytes: BYTES_PER_FILE * (1 + row.files.length) };
}

export async function forgetCopy(
  db: Executor,
  { serverId, kind, id }: DiskCopy,
): Promise<CommandOutcome<null>> {
  await db.run(forget, [serverId, kind, id]);
  return { kind: 'done', result: null };
}

export async function restoreCopy(
  db: Executor,
  { serverId, kind, id }: DiskCopy,
  restoreId: string,
): Promise<CommandOutcome<null>> {
  const [row] = await db.run(restore, [serverId, kind, id, restoreId]);
  if (row === undefined) return { kind: 'refused', reason: 'there is no such machine' };
  if (row.restored) return { kind: 'done', result: null };
  if (!row.known) return { kind: 'refused', reason: `there is no such ${kind}` };
  if (row.power !== 'stopped') return { kind: 'refused', reason: 'the machine is on' };
  return { kind: 'done', result: null };
}
