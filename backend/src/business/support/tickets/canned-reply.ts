import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Text } from '../../../operation.ts';

/** An answer that operators give often, in every language. */
export interface CannedReply {
  readonly id: string;
  readonly title: string;
  readonly body: Text;
  /** null: of all departments. */
  readonly department: string | null;
  readonly created_at: Instant;
}

const COLUMNS = 'id, title, body, department, created_at';
const insert = statement<CannedReply>(
  'insert_canned_reply',
  `INSERT INTO canned_replies (id, title, body, department, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (title) DO NOTHING RETURNING ${COLUMNS}`,
);
const remove = statement<{ id: string }>(
  'delete_canned_reply',
  'DELETE FROM canned_replies WHERE id = $1 RETURNING id',
);
const FOUND = 'FROM canned_replies WHERE ($1::text IS NULL OR department IS NULL OR department = $1)';
const list = statement<CannedReply>(
  'list_canned_replies',
  `SELECT ${COLUMNS} ${FOUND} ORDER BY title LIMIT $2 OFFSET $3`,
);
const count = statement<{ total: bigint }>('count_canned_replies', `SELECT count(*) AS total ${FOUND}`);

/** null: another one has the title. */
export async function addCannedReply(
  tx: Transaction,
  draft: Pick<CannedReply, 'title' | 'body' | 'department'>,
  by: { readonly userId: string; readonly now: Instant },
): Promise<CannedReply | null> {
  const { title, body, department } = draft;
  const values = [randomUUIDv7(), title, JSON.stringify(body), department, by.userId, by.now];
  return (await tx.run(insert, values))[0] ?? null;
}

/** false: there was none. */
export async function removeCannedReply(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.run(remove, [id])).length > 0;
}

/** By title: those of one department and of all, or every one. */
export async function listCannedReplies(
  db: Executor,
  department: string | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly replies: readonly CannedReply[]; readonly total: number }> {
  const [replies, [counted]] = await Promise.all([
    db.run(list, [department, page.limit, page.offset]),
    db.run(count, [department]),
  ]);
  return { replies, total: Number(counted?.total ?? 0n) };
}
