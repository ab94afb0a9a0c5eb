import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Task } from './task.ts';

// Two halves, so that an index serves each: the account's of late, and the few of all that are long under way.
const load = statement<Task>(
  'load_recent_tasks',
  `SELECT * FROM (
     SELECT * FROM tasks WHERE account_id = $1 AND created_at >= $2
     UNION ALL
     SELECT * FROM tasks WHERE account_id = $1 AND created_at < $2 AND finished_at IS NULL) t
   ORDER BY finished_at IS NOT NULL, created_at DESC, id LIMIT $3`,
);

/** What is under way, then what began since, the newest first. */
export function recentTasks(
  db: Executor,
  accountId: string,
  { since, limit }: { since: Instant; limit: number },
): Promise<Task[]> {
  return db.run(load, [accountId, since, limit]);
}
