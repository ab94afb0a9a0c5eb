import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Text } from '../../../operation.ts';

/** What the operator tells all customers: an outage, maintenance, news. */
export interface Notice {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly title: Text;
  readonly body: Text;
  readonly starts_at: Instant;
  /** null: until it is ended. */
  readonly ends_at: Instant | null;
  readonly created_at: Instant;
}

const COLUMNS = 'id, severity, title, body, starts_at, ends_at, created_at';
const SHOWN = 20;

const insert = statement<object>(
  'insert_notice',
  `INSERT INTO notices (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const end = statement<Notice>(
  'end_notice',
  `UPDATE notices SET ends_at = greatest(starts_at, least(ends_at, $2)) WHERE id = $1 RETURNING ${COLUMNS}`,
);
const current = statement<Notice>(
  'current_notices',
  `SELECT ${COLUMNS} FROM notices WHERE starts_at <= $1 AND (ends_at IS NULL OR ends_at > $1)
   ORDER BY starts_at DESC, id LIMIT ${SHOWN}`,
);
const list = statement<Notice>(
  'list_notices',
  `SELECT ${COLUMNS} FROM notices ORDER BY created_at DESC, id LIMIT $1 OFFSET $2`,
);
const count = statement<{ total: bigint }>('count_notices', 'SELECT count(*) AS total FROM notices');

export async function addNotice(db: Executor, notice: Notice): Promise<void> {
  await db.run(insert, [
    notice.id,
    notice.severity,
    JSON.stringify(notice.title),
    JSON.stringify(notice.body),
    notice.starts_at,
    notice.ends_at,
    notice.created_at,
  ]);
}

/** Ends a notice now, or as it begins when it has not begun; one that is over stays as it was. null: no such one. */
export async function endNotice(db: Executor, id: string, now: Instant): Promise<Notice | null> {
  return (await db.run(end, [id, now]))[0] ?? null;
}

/** What customers are shown now, the newest first; at most twenty. */
export function currentNotices(db: Executor, now: Instant): Promise<Notice[]> {
  return db.run(current, [now]);
}

/** All notices, the newest first, and how many there are. */
export async function listNotices(
  db: Executor,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly notices: readonly Notice[]; readonly total: number }> {
  const [notices, [counted]] = await Promise.all([
    db.run(list, [page.limit, page.offset]),
    db.run(count, []),
  ]);
  return { notices, total: Number(counted?.total ?? 0n) };
}
