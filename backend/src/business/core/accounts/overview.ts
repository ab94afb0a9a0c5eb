import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Whose account it is, and how much of what it has. */
export interface Overview {
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
  /** Of the billing address; empty or null where there is none. */
  readonly company: string | null;
  readonly domains: number;
  readonly servers: number;
  readonly webspaces: number;
  readonly licenses: number;
}

const load = statement<Overview>(
  'load_overview',
  `SELECT u.first_name, u.last_name, u.locale, (SELECT company FROM billing_addresses WHERE account_id = $1) AS company, s.*
   FROM (SELECT first_name, last_name, locale FROM users WHERE account_id = $1 AND role = 'owner'
         ORDER BY created_at LIMIT 1) u
   CROSS JOIN (
     SELECT count(*) FILTER (WHERE product = 'domain')::int AS domains,
       count(*) FILTER (WHERE product = 'server')::int AS servers,
       count(*) FILTER (WHERE product = 'webspace')::int AS webspaces,
       count(*) FILTER (WHERE product = 'license')::int AS licenses
     FROM services WHERE account_id = $1 AND ended_at IS NULL) s`,
);

/** Throws for an account without an owner. */
export async function overviewOf(db: Executor, accountId: string): Promise<Overview> {
  const [row] = await db.run(load, [accountId]);
  if (row === undefined) throw new Error(`account ${accountId} has no owner`);
  return row;
}
