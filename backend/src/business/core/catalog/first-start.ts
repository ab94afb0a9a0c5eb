import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

const anything = statement<{ empty: boolean }>(
  'nothing_sold_yet',
  'SELECT NOT EXISTS (SELECT FROM catalog_versions) AND NOT EXISTS (SELECT FROM accounts) AS empty',
);

/** Whether this database was never used: no catalogue and no customer. */
export async function isEmpty(db: Executor): Promise<boolean> {
  const [row] = await db.run(anything, []);
  return row?.empty === true;
}
