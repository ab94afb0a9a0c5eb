import { z } from 'zod';
import { label, timestamp, uuid } from '../../api/field.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import type { Backup } from '../../business/servers/copies/backup.ts';
import type { Snapshot } from '../../business/servers/copies/snapshot.ts';

/** What customers call a copy of a disk. */
export const copyName = label.default('').describe('For you; may be empty.');

/** What has to be repeated before a disk is put back. */
export const restoreConfirmation = z
  .string()
  .max(253)
  .describe('The host name of the server: what was written since the copy was taken is lost.');

export const snapshot = z.object({
  uuid,
  name: z.string(),
  state: z.enum(['pending', 'available', 'deleting']),
  created_at: timestamp,
  taken_at: timestamp.nullable(),
});

export function wireSnapshot({ id, name, state, created_at, taken_at }: Snapshot): z.input<typeof snapshot> {
  return { uuid: id, name, state, created_at: wireTime(created_at), taken_at: wireTimeOrNull(taken_at) };
}

export const backup = z.object({
  uuid,
  kind: z.enum(['manual', 'scheduled']),
  name: z.string(),
  state: z.enum(['pending', 'available', 'deleting']),
  size: z.int().nullable().describe('Bytes where backups are kept'),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});

export function wireBackup({
  id,
  size_bytes,
  created_at,
  finished_at,
  ...rest
}: Backup): z.input<typeof backup> {
  return {
    uuid: id,
    ...rest,
    size: size_bytes === null ? null : Number(size_bytes),
    created_at: wireTime(created_at),
    finished_at: wireTimeOrNull(finished_at),
  };
}

export const backupSchedule = z.object({
  hour: z.int().describe('UTC'),
  weekday: z.int().nullable().describe('1 is Monday; null: every day'),
  keep: z.int(),
  next_at: timestamp,
});
