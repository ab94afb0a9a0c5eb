import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

const load = statement<{ first_name: string; last_name: string }>(
  'load_author',
  'SELECT first_name, last_name FROM users WHERE id = $1',
);

/** Somebody as those see them who read what they write: never by their address. */
export async function authorOf(db: Executor, userId: string): Promise<{ id: string; name: string }> {
  const [found] = await db.run(load, [userId]);
  return { id: userId, name: `${found?.first_name ?? ''} ${found?.last_name ?? ''}`.trim() || 'N. N.' };
}

const loadStaff = statement<{ one: number }>(
  'find_operator',
  "SELECT 1 AS one FROM users WHERE id = $1 AND role = 'staff' AND state = 'active'",
);

/** Whether somebody is an operator who can be given work. */
export async function isOperator(db: Executor, userId: string): Promise<boolean> {
  return (await db.run(loadStaff, [userId])).length > 0;
}
