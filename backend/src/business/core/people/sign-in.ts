import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Somebody who came in, or tries of a minute from one place that did not. */
export interface SignIn {
  readonly id: string;
  readonly created_at: Instant;
  readonly user_id: string;
  readonly email: string;
  readonly ip: string | null;
  /** Of the session that began; null: none did. */
  readonly token_id: string | null;
  /** What the browser called itself. */
  readonly user_agent: string | null;
  /** Why the tries were refused; null: the sign-in succeeded. */
  readonly refused: string | null;
  readonly times: number;
}

export interface SignInFilter {
  readonly accountId: string;
  /** null: everybody's. */
  readonly userId: string | null;
  /** null: those that succeeded, and those that did not. */
  readonly succeeded: boolean | null;
}

const FOUND = `FROM audit a WHERE a.account_id = $1 AND a.operation = 'account/login' AND a.user_id IS NOT NULL
  AND ($2::uuid IS NULL OR a.user_id = $2) AND ($3::boolean IS NULL OR (a.code = 200) = $3)`;

const list = (order: 'asc' | 'desc') =>
  statement<SignIn>(
    `list_sign_ins_${order}`,
    `SELECT f.id, f.created_at, f.user_id, u.email, host(f.ip) AS ip, f.token_id, t.name AS user_agent,
       f.input ->> 'refused' AS refused, coalesce((f.input ->> 'times')::int, 1) AS times
     FROM (SELECT a.* ${FOUND} ORDER BY a.created_at ${order}, a.id ${order} LIMIT $4 OFFSET $5) f
     JOIN users u ON u.id = f.user_id LEFT JOIN tokens t ON t.id = f.token_id
     ORDER BY f.created_at ${order}, f.id ${order}`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_sign_ins', `SELECT count(*) AS total ${FOUND}`);

/** The account's sign-ins by when they were, and how many there are. */
export async function listSignIns(
  db: Executor,
  { accountId, userId, succeeded }: SignInFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ signIns: readonly SignIn[]; total: number }> {
  const filter = [accountId, userId, succeeded];
  const [signIns, [counted]] = await Promise.all([
    db.run(listed[page.order], [...filter, page.limit, page.offset]),
    db.run(count, filter),
  ]);
  return { signIns, total: Number(counted?.total ?? 0) };
}
