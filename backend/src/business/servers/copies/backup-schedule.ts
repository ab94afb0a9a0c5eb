import { createHash } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** When a server is backed up by itself, UTC, and how many of these backups are kept. */
export interface BackupSchedule {
  readonly hour: number;
  /** 1 is Monday; null: every day. */
  readonly weekday: number | null;
  readonly keep: number;
}

const SPREAD_SECONDS = 3600;
const DAYS_PER_WEEK = 7;

/** So many servers want to be backed up at the same hour that each is by a time of its own within it. */
function delayOf(serverId: string): number {
  return createHash('sha256').update(serverId).digest().readUInt32BE(0) % SPREAD_SECONDS;
}

/** The first time after a moment: what was missed meanwhile is not made up for. */
export function nextBackup(
  serverId: string,
  { hour, weekday }: Pick<BackupSchedule, 'hour' | 'weekday'>,
  after: Instant,
): Instant {
  const today = after.toZonedDateTimeISO('UTC').startOfDay();
  const ahead = weekday === null ? 0 : (weekday - today.dayOfWeek + DAYS_PER_WEEK) % DAYS_PER_WEEK;
  const first = today.add({ days: ahead, hours: hour, seconds: delayOf(serverId) });
  if (Temporal.Instant.compare(first.toInstant(), after) > 0) return first.toInstant();
  return first.add({ days: weekday === null ? 1 : DAYS_PER_WEEK }).toInstant();
}

const find = statement<BackupSchedule & { readonly due_at: Instant }>(
  'find_backup_schedule',
  'SELECT hour, weekday, keep, due_at FROM server_backup_schedules WHERE server_id = $1',
);
const put = statement<object>(
  'put_backup_schedule',
  `INSERT INTO server_backup_schedules (server_id, hour, weekday, keep, due_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (server_id) DO UPDATE SET hour = excluded.hour, weekday = excluded.weekday, keep = excluded.keep,
     due_at = excluded.due_at`,
);
const postpone = statement<object>(
  'postpone_backup',
  'UPDATE server_backup_schedules SET due_at = $2 WHERE server_id = $1',
);
const remove = statement<object>(
  'remove_backup_schedule',
  'DELETE FROM server_backup_schedules WHERE server_id = $1',
);

/** null: it is not backed up by itself. */
export async function findSchedule(
  db: Executor,
  serverId: string,
): Promise<(BackupSchedule & { readonly due_at: Instant }) | null> {
  const [found] = await db.run(find, [serverId]);
  return found ?? null;
}

/** Sets it, or null: no schedule; when the next backup is. */
export async function setSchedule(
  tx: Transaction,
  serverId: string,
  schedule: BackupSchedule | null,
  now: Instant,
): Promise<Instant | null> {
  if (schedule === null) {
    await tx.run(remove, [serverId]);
    return null;
  }
  const dueAt = nextBackup(serverId, schedule, now);
  await tx.run(put, [serverId, schedule.hour, schedule.weekday, schedule.keep, dueAt]);
  return dueAt;
}

/** Waits for the next time. */
export async function postponeBackup(
  tx: Transaction,
  serverId: string,
  schedule: Pick<BackupSchedule, 'hour' | 'weekday'>,
  now: Instant,
): Promise<void> {
  await tx.run(postpone, [serverId, nextBackup(serverId, schedule, now)]);
}
