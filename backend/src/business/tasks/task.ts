import { type Instant, wireTime, wireTimeOrNull } from '../../base/time.ts';
import { bulkInsert } from '../../db/changes.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Locale } from '../../operation.ts';

export type TaskState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Work that a customer can watch. */
export interface Task {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly state: TaskState;
  readonly progress: number;
  readonly step: string | null;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly order_id: string | null;
  readonly error: string | null;
  readonly error_message: string | null;
  readonly created_at: Instant;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
}

export const taskInsert = bulkInsert<{
  id: string;
  account_id: string;
  type: string;
  state: TaskState;
  resource_type: string;
  resource_id: string;
  order_id: string | null;
  created_at: Instant;
}>('tasks', {
  id: 'uuid',
  account_id: 'uuid',
  type: 'text',
  state: 'text',
  resource_type: 'text',
  resource_id: 'uuid',
  order_id: 'uuid',
  created_at: 'timestamptz',
});

/** A task as the wire shows it. */
export function wireTask(task: Task, locale: Locale) {
  return {
    uuid: task.id,
    type: task.type,
    state: task.state,
    progress: task.progress,
    step: task.step,
    resource: { type: task.resource_type, uuid: task.resource_id },
    error: task.error === null ? null : { error: task.error, message: errorText(task, locale) },
    created_at: wireTime(task.created_at),
    started_at: wireTimeOrNull(task.started_at),
    finished_at: wireTimeOrNull(task.finished_at),
  };
}

function errorText(task: Task, locale: Locale): string {
  const known = ERRORS[task.error as ErrorCode];
  return task.error_message ?? known?.[locale] ?? '';
}

/** A task that was just queued, as the wire shows it. */
export function queuedTask(id: string, type: string, resource: { type: string; uuid: string }, now: Instant) {
  return {
    uuid: id,
    type,
    state: 'queued' as const,
    progress: 0,
    step: null,
    resource,
    error: null,
    created_at: wireTime(now),
    started_at: null,
    finished_at: null,
  };
}

const loadTask = statement<Task>('load_task', 'SELECT * FROM tasks WHERE id = $2 AND account_id = $1');

/** The task when it has finished, as the wire shows it. */
export async function finishedTask(db: Executor, accountId: string, id: string, locale: Locale) {
  const [task] = await db.run(loadTask, [accountId, id]);
  return task === undefined || task.finished_at === null ? null : wireTask(task, locale);
}
