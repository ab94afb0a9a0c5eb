import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { inUnitOfWork, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { beginChange, CHANGEABLE, workOn } from '../changes/change.ts';
import { server as servers } from '../server.ts';
import { addBackup, BACKUP, listBackups } from './backup.ts';
import { type BackupSchedule, postponeBackup } from './backup-schedule.ts';

const AT_ONCE = 500;
/** How long a backup waits for other work on its server; after that the next one is waited for. */
const PATIENCE = { hours: 6 };

interface DueBackup extends BackupSchedule {
  readonly server_id: string;
  readonly account_id: string;
  readonly due_at: Instant;
}

const COLUMNS = 'b.server_id, s.account_id, b.hour, b.weekday, b.keep, b.due_at';
const due = statement<DueBackup>(
  'due_backups',
  `SELECT ${COLUMNS} FROM server_backup_schedules b JOIN services s ON s.id = b.server_id
   WHERE b.due_at <= $1 ORDER BY b.due_at LIMIT ${AT_ONCE}`,
);
const lockDue = statement<DueBackup>(
  'lock_due_backup',
  `SELECT ${COLUMNS} FROM server_backup_schedules b JOIN services s ON s.id = b.server_id
   WHERE b.server_id = $1 AND b.due_at <= $2 FOR UPDATE OF b`,
);

/** Begins the backups whose time has come. Times that passed while nothing worked are one backup, not several. */
export default maintenanceJob({
  name: 'server.schedule_backups',
  schedule: '*/5 * * * *',
  async run(pool, { now, sealer }) {
    for (const { server_id, account_id } of await pool.run(due, [now])) {
      await inUnitOfWork(pool, now, [account_id], (tx, uow) =>
        beginDue(tx, uow, sealer, { serverId: server_id, accountId: account_id }),
      );
    }
  },
});

async function beginDue(
  tx: Transaction,
  uow: UnitOfWork,
  sealer: Sealer,
  { serverId, accountId }: { readonly serverId: string; readonly accountId: string },
): Promise<void> {
  const { now } = uow;
  const found = await servers.lock(tx, { accountId, uuid: serverId });
  const [schedule] = await tx.run(lockDue, [serverId, now]);
  // Another process has begun it, or the customer has another schedule now.
  if (found === null || schedule === undefined) return;
  const isOn = CHANGEABLE.includes(found.state);
  if (isOn && (await workOn(tx, found)) !== null) {
    if (Temporal.Instant.compare(schedule.due_at.add(PATIENCE), now) > 0) return;
  } else if (isOn) {
    const backups = await listBackups(tx, serverId);
    if (backups.filter(({ kind }) => kind === 'manual').length < found.backup_slots) {
      const id = await addBackup(tx, serverId, { kind: 'scheduled', name: '', now });
      beginChange(uow, sealer, found, { type: BACKUP, wanted: { backup_id: id } });
    }
  }
  await postponeBackup(tx, serverId, schedule, now);
}
