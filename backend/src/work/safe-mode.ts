import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const read = statement<{ on: boolean }>(
  'read_safe_mode',
  `SELECT EXISTS (SELECT FROM settings WHERE name = 'safe_mode' AND value = 'true'::jsonb) AS on`,
);
const write = statement<{ name: string }>(
  'write_safe_mode',
  `INSERT INTO settings (name, value, updated_at) VALUES ('safe_mode', to_jsonb($1::boolean), $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at RETURNING name`,
);

/**
 * Safe mode: no command reaches a back end (rule C3). It is on after a restore, because the books are then
 * older than what the back ends really hold, until an operator has compared the two and lifts it.
 */
export async function isSafeMode(db: Executor): Promise<boolean> {
  const [row] = await db.run(read, []);
  return row?.on === true;
}

export async function setSafeMode(db: Executor, on: boolean, now: Instant): Promise<void> {
  await db.run(write, [on, now]);
}
