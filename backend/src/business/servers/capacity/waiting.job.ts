import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { tickJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { changeJobOf } from '../changes/change.ts';

const AT_ONCE = 100;

// Not those that a worker has in hand: they would only be done twice.
const waiting = statement<{ server_id: string; type: string }>(
  'waiting_server_changes',
  `SELECT c.server_id, t.type FROM server_changes c JOIN tasks t ON t.id = c.task_id
   WHERE c.due_at IS NOT NULL AND t.state = 'running' AND NOT EXISTS (
     SELECT FROM graphile_worker.jobs j WHERE j.key = t.type || ':' || c.server_id AND j.locked_at IS NOT NULL)
   ORDER BY c.due_at LIMIT ${AT_ONCE}`,
);

/** Looks every two seconds whether the system in a machine has ended, rather than by the growing delay of a job. */
export default tickJob({
  name: 'server.waiting',
  everyMs: 2_000,
  async run(pool) {
    const found = await pool.run(waiting, []);
    if (found.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        found.map(({ server_id, type }) => changeJobOf(type, server_id)),
      ),
    );
  },
});
