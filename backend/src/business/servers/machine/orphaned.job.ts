import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { changeJobOf } from '../changes/change.ts';

const AT_ONCE = 1000;

// A job that has used up its attempts is not alive; one that waits or runs is.
const stranded = statement<{ server_id: string; type: string }>(
  'stranded_server_changes',
  `SELECT c.server_id, t.type FROM server_changes c JOIN tasks t ON t.id = c.task_id
   WHERE NOT EXISTS (
     SELECT FROM graphile_worker.jobs j
     WHERE j.key = t.type || ':' || c.server_id AND j.attempts < j.max_attempts)
   ORDER BY t.created_at LIMIT ${AT_ONCE}`,
);

/** Goes on with work on servers whose job is gone: its outcome is not known, so it is never given up (rule C2). */
export default maintenanceJob({
  name: 'server.orphaned',
  schedule: '* * * * *',
  async run(pool, ctx) {
    const found = await pool.run(stranded, []);
    if (found.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        found.map(({ server_id, type }) => changeJobOf(type, server_id)),
      ),
    );
    ctx.log.warn({ changes: found.length }, 'work on servers without a job was enqueued again');
  },
});
