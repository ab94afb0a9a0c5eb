import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type StoredToken, TOKEN_COLUMNS } from './token.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

export interface TokenFilter {
  /** null: a person's who belongs to none. */
  readonly accountId: string | null;
  /** null: everybody's. */
  readonly userId: string | null;
  readonly kind: 'session' | 'api' | null;
  readonly state: TokenState | null;
  /** A LIKE pattern for the name. */
  readonly name: string | null;
}

export type ListedToken = StoredToken & { readonly state: TokenState };

const STATE = `CASE WHEN t.revoked_at IS NOT NULL THEN 'revoked' WHEN t.expires_at <= $2 THEN 'expired' ELSE 'active' END`;
const FOUND = `FROM tokens t WHERE t.account_id IS NOT DISTINCT FROM $1 AND ($3::uuid IS NULL OR t.user_id = $3)
  AND ($4::text IS NULL OR t.kind = $4) AND ($5::text IS NULL OR $5 = ${STATE}) AND ($6::text IS NULL OR t.name ILIKE $6)`;

const list = (order: 'asc' | 'desc') =>
  statement<ListedToken>(
    `list_tokens_${order}`,
    `SELECT ${TOKEN_COLUMNS}, ${STATE} AS state ${FOUND} ORDER BY t.created_at ${order}, t.id ${order} LIMIT $7 OFFSET $8`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_tokens', `SELECT count(*) AS total ${FOUND}`);

/** The account's tokens by when they were made, and how many there are. */
export async function listTokens(
  db: Executor,
  filter: TokenFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
  now: Instant,
): Promise<{ readonly tokens: readonly ListedToken[]; readonly total: number }> {
  const values = [filter.accountId, now, filter.userId, filter.kind, filter.state, filter.name];
  const [tokens, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { tokens, total: Number(counted?.total ?? 0n) };
}
