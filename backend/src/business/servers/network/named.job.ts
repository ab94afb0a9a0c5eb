import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { tickJob } from '../../../work/job.ts';
import { finishTask } from '../../core/tasks/task.ts';
import { NAME_TASK } from './name-task.ts';

const AT_ONCE = 100;

const published = statement<{ task_id: string; account_id: string; server_id: string }>(
  'published_address_names',
  `SELECT n.task_id, t.account_id, t.resource_id AS server_id FROM address_name_tasks n
   JOIN tasks t ON t.id = n.task_id JOIN zones z ON z.id = n.zone_id
   WHERE z.published_version >= n.version ORDER BY n.task_id LIMIT ${AT_ONCE}`,
);
// Whoever comes second deletes nothing.
const take = statement<object>(
  'take_address_name_task',
  'DELETE FROM address_name_tasks WHERE task_id = $1 RETURNING task_id',
);

/** Ends the tasks of reverse names that the primary name server has by now. */
export default tickJob({
  name: 'server.named',
  everyMs: 1_000,
  async run(pool, ctx) {
    for (const { task_id: id, account_id: accountId, server_id } of await pool.run(published, [])) {
      await inUnitOfWork(pool, ctx.now, [accountId], async (tx, uow) => {
        if ((await tx.run(take, [id])).length === 0) return;
        const resource = { type: 'server', id: server_id };
        finishTask(uow, { id, accountId, type: NAME_TASK, resource }, null);
      });
    }
  },
});
