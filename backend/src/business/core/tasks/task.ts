import { type Instant, wireTime, wireTimeOrNull } from '../../../base/time.ts';
import { bulkInsert, bulkUpdate } from '../../../db/changes.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { ERRORS, type ErrorCode } from '../../../errors.ts';
import type { Locale, Resource } from '../../../operation.ts';
import { accountResource } from '../../../unit-of-work/resource.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

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
  /** What went wrong when it was last worked on, if it goes on all the same. */
  readonly trouble: string | null;
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

const COLUMNS = `t.id, t.account_id, t.type, t.state, t.progress, t.step, t.resource_type, t.resource_id,
  t.order_id, t.error, t.error_message, t.trouble, t.created_at, t.started_at, t.finished_at`;

const loadMany = statement<Task & { ord: bigint }>(
  'load_tasks',
  `SELECT k.ord, ${COLUMNS} FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY k(account_id, id, ord)
   JOIN tasks t ON t.id = k.id AND t.account_id = k.account_id`,
);
const lock = statement<Task>(
  'lock_task',
  `SELECT ${COLUMNS} FROM tasks t WHERE t.id = $2 AND t.account_id = $1 FOR NO KEY UPDATE`,
);

/** A task among the caller's own. */
export const task: Resource<Task> = {
  ...accountResource<Task>('task', loadMany, lock),
  belongsTo: (found) => found.resource_id,
};

/** What names a task and what it is about. */
export interface TaskRef {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly resource: { readonly type: string; readonly id: string };
}

const taskFinish = bulkUpdate<{
  id: string;
  state: TaskState;
  error: string | null;
  error_message: string | null;
  finished_at: Instant;
}>(
  'tasks',
  'finish',
  { id: 'uuid', state: 'text', error: 'text', error_message: 'text', finished_at: 'timestamptz' },
  `state = n.state, progress = CASE WHEN n.state = 'succeeded' THEN 100 ELSE tasks.progress END, step = NULL,
   error = n.error, error_message = n.error_message, started_at = coalesce(tasks.started_at, n.finished_at), finished_at = n.finished_at`,
);

/**
 * Ends a task, with the event that says so; `error` is why it failed, null when it succeeded. `reason` is what the back
 * end said, for people.
 */
export function finishTask(
  uow: UnitOfWork,
  ended: TaskRef,
  error: ErrorCode | null,
  reason: string | null = null,
): void {
  end(uow, ended, error === null ? 'succeeded' : 'failed', error, reason);
}

/** Ends a task that is no longer wanted, with the event that says so; `error`: why, where its customer did not ask. */
export function cancelTask(uow: UnitOfWork, ended: TaskRef, error: ErrorCode | null = null): void {
  end(uow, ended, 'cancelled', error, null);
}

function end(
  uow: UnitOfWork,
  ended: TaskRef,
  state: 'succeeded' | 'failed' | 'cancelled',
  error: ErrorCode | null,
  reason: string | null,
): void {
  const finished = { id: ended.id, state, error, error_message: reason, finished_at: uow.now };
  uow.changes.add(taskFinish, finished);
  emit(uow, lockedAccount(uow, ended.accountId), {
    type: `task.${state}`,
    resource: ended.resource,
    body: { task_uuid: ended.id, type: ended.type, error },
  });
}

/** A task as the wire shows it. */
export function wireTask(task: Task, locale: Locale) {
  return {
    uuid: task.id,
    type: task.type,
    state: task.state,
    progress: task.progress,
    step: task.step,
    resource: { type: task.resource_type, uuid: task.resource_id },
    error: wireError(task, locale),
    created_at: wireTime(task.created_at),
    started_at: wireTimeOrNull(task.started_at),
    finished_at: wireTimeOrNull(task.finished_at),
  };
}

/** Why it failed; of one that goes on, what it waits for. */
function wireError(task: Task, locale: Locale): { error: string; message: string } | null {
  if (task.error !== null) return { error: task.error, message: errorText(task, locale) };
  if (task.trouble === null || task.finished_at !== null) return null;
  const error = task.trouble === 'no_answer' ? 'backend_unavailable' : 'backend_error';
  return { error, message: TROUBLES[locale](backendOf(task), task.trouble === 'no_answer') };
}

const TROUBLES: Readonly<Record<Locale, (backend: string, isSilent: boolean) => string>> = {
  en: (backend, isSilent) =>
    `The ${backend} ${isSilent ? 'did not answer' : 'could not do it'}. We try again as soon as it can, at least every ten minutes.`,
  de: (backend, isSilent) =>
    `Das Backend ${backend} ${isSilent ? 'hat nicht geantwortet' : 'konnte es nicht ausführen'}. Wir versuchen es wieder, sobald es geht, mindestens alle zehn Minuten.`,
};

// What does a task, for the texts that name it: what its resource is run by, unless its type is something else's.
const BACKENDS: Readonly<Record<string, string>> = {
  server: 'hypervisor',
  domain: 'registry',
  webspace: 'web server',
  'domain.dns_update': 'name server',
  'server.ptr': 'name server',
};

function errorText(task: Task, locale: Locale): string {
  const known = ERRORS[task.error as ErrorCode];
  const text = known?.[locale].replace('{backend}', backendOf(task));
  return [text, task.error_message].filter(Boolean).join(' ');
}

function backendOf({ type, resource_type: resource }: Task): string {
  return BACKENDS[type] ?? BACKENDS[resource] ?? resource;
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

const loadTask = statement<Task>(
  'load_task',
  `SELECT ${COLUMNS} FROM tasks t WHERE t.id = $2 AND t.account_id = $1`,
);

/** The task when it has finished, as the wire shows it. */
export async function finishedTask(db: Executor, accountId: string, id: string, locale: Locale) {
  const [task] = await db.run(loadTask, [accountId, id]);
  return task === undefined || task.finished_at === null ? null : wireTask(task, locale);
}

const loadUnfinished = statement<Task>(
  'load_unfinished_task',
  `SELECT ${COLUMNS} FROM tasks t
   WHERE t.resource_id = $2 AND t.account_id = $1 AND t.type = coalesce($3, t.type) AND t.finished_at IS NULL
   ORDER BY t.created_at DESC LIMIT 1`,
);

/** The work on a resource that is queued or under way, of one type or of any, or null. */
export async function unfinishedTask(
  db: Executor,
  accountId: string,
  resourceId: string,
  type: string | null = null,
): Promise<Task | null> {
  const [task] = await db.run(loadUnfinished, [accountId, resourceId, type]);
  return task ?? null;
}
