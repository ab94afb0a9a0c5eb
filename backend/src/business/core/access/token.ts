import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Amount } from '../../../base/money.ts';
import { type Instant, utcDay } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** A fresh secret with 256 random bits, recognisable to scanners of leaked secrets by its prefix. */
export function newTokenSecret(): string {
  return `hk_${randomBytes(32).toString('base64url')}`;
}

export interface TokenDraft {
  /** null for an operator's. */
  readonly accountId: string | null;
  readonly userId: string;
  readonly kind: 'session' | 'api';
  readonly name: string;
  readonly scopes: readonly string[];
  /** Addresses and networks in CIDR notation; none: from anywhere. */
  readonly ipAllowlist?: readonly string[];
  readonly resourceAllowlist?: readonly string[] | null;
  readonly dryRunOnly?: boolean;
  /** Of a token for certain things: whether it may order others. */
  readonly mayOrderNew?: boolean;
  /** A day's, UTC. */
  readonly spendingLimit?: Amount | null;
  readonly expiresAt: Instant | null;
  /** The operator who acts in the person's place. */
  readonly impersonatedBy?: string | null;
}

// Host bits of a network (192.0.2.7/24) are cut off: the type that keeps it refuses them.
const insertToken = statement<object>(
  'insert_token',
  `INSERT INTO tokens (id, account_id, user_id, kind, name, hash, scopes, ip_allowlist, resource_allowlist,
     dry_run_only, spending_limit, created_at, expires_at, impersonated_by, may_order_new)
   VALUES ($1, $2, $3, $4, $5, $6, $7::text[], ARRAY(SELECT network(a::inet) FROM unnest($8::text[]) a),
     $9::uuid[], $10, $11, $12, $13, $14, $15)`,
);

/** Keeps a token under the hash of its secret; the secret itself is nowhere but with whom it is given to. */
export async function issueToken(
  db: Executor,
  draft: TokenDraft,
  secret: string,
  now: Instant,
): Promise<string> {
  const id = randomUUIDv7();
  await db.run(insertToken, [
    id,
    draft.accountId,
    draft.userId,
    draft.kind,
    draft.name,
    sha256(secret),
    draft.scopes,
    draft.ipAllowlist ?? [],
    draft.resourceAllowlist ?? null,
    draft.dryRunOnly ?? false,
    draft.spendingLimit ?? null,
    now,
    draft.expiresAt,
    draft.impersonatedBy ?? null,
    draft.mayOrderNew ?? false,
  ]);
  return id;
}

export interface StoredToken {
  readonly id: string;
  readonly user_id: string;
  readonly kind: 'session' | 'api';
  readonly name: string;
  readonly scopes: readonly string[];
  readonly ip_allowlist: readonly string[];
  readonly resource_allowlist: readonly string[] | null;
  readonly dry_run_only: boolean;
  readonly may_order_new: boolean;
  readonly spending_limit: bigint | null;
  readonly spent_on: string | null;
  readonly spent: bigint;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
  readonly last_used_at: Instant | null;
}

/** The columns of {@link StoredToken}, of a table that the statement calls `t`. */
export const TOKEN_COLUMNS = `t.id, t.user_id, t.kind, t.name, t.scopes, t.ip_allowlist::text[] AS ip_allowlist,
  t.resource_allowlist, t.dry_run_only, t.may_order_new, t.spending_limit, t.spent_on, t.spent, t.created_at, t.expires_at,
  t.revoked_at, t.last_used_at`;

const loadToken = statement<StoredToken>(
  'load_token',
  `SELECT ${TOKEN_COLUMNS} FROM tokens t WHERE t.id = $1`,
);

export async function tokenOf(db: Executor, id: string): Promise<StoredToken | null> {
  const [row] = await db.run(loadToken, [id]);
  return row ?? null;
}

/** What a token may still spend today; null without a limit. */
export function remainingToday(
  token: Pick<StoredToken, 'spending_limit' | 'spent_on' | 'spent'>,
  now: Instant,
): Amount | null {
  if (token.spending_limit === null) return null;
  return token.spending_limit - (token.spent_on === utcDay(now) ? token.spent : 0n);
}

const revoke = statement<{ revoked_at: Instant }>(
  'revoke_token',
  `UPDATE tokens SET revoked_at = coalesce(revoked_at, $4)
   WHERE id = $1 AND account_id = $2 AND (user_id = $3 OR $3 IS NULL) RETURNING revoked_at`,
);

/**
 * Ends a token of the account, or only of that user; every process refuses it within a second. Answers when it
 * was ended, which may have been earlier; null: there is no such token.
 */
export async function revokeToken(
  db: Executor,
  token: { readonly id: string; readonly accountId: string; readonly userId: string | null },
  now: Instant,
): Promise<Instant | null> {
  const [row] = await db.run(revoke, [token.id, token.accountId, token.userId, now]);
  return row?.revoked_at ?? null;
}

const endAll = statement<object>(
  'end_sessions',
  `UPDATE tokens SET revoked_at = $2
   WHERE user_id = $1 AND kind = 'session' AND revoked_at IS NULL AND id IS DISTINCT FROM $3`,
);

/** Ends a person's sessions but that one; API tokens stay. */
export async function endSessions(
  db: Executor,
  userId: string,
  { except }: { readonly except: string | null },
  now: Instant,
): Promise<void> {
  await db.run(endAll, [userId, now, except]);
}

const endApi = statement<object>(
  'end_api_tokens',
  `UPDATE tokens SET revoked_at = $2 WHERE user_id = $1 AND kind = 'api' AND revoked_at IS NULL`,
);

/** Ends a person's API tokens. */
export async function endApiTokens(db: Executor, userId: string, now: Instant): Promise<void> {
  await db.run(endApi, [userId, now]);
}

const endBeyond = statement<object>(
  'end_tokens_beyond',
  `UPDATE tokens SET revoked_at = $2
   WHERE user_id = $1 AND revoked_at IS NULL AND (kind = 'session' OR NOT scopes <@ $3::text[])`,
);

/** Ends a person's sessions, and those of their API tokens that may do anything beyond these scopes. */
export async function endTokensBeyond(
  db: Executor,
  userId: string,
  scopes: readonly string[],
  now: Instant,
): Promise<void> {
  await db.run(endBeyond, [userId, now, scopes]);
}

const endOwn = statement<{ revoked_at: Instant }>(
  'end_own_session',
  `UPDATE tokens SET revoked_at = coalesce(revoked_at, $3)
   WHERE id = $1 AND user_id = $2 AND kind = 'session' RETURNING revoked_at`,
);

/** Ends one of a person's sessions. Answers when it was ended, which may have been earlier; null: they have no such one. */
export async function endOwnSession(
  db: Executor,
  session: { readonly id: string; readonly userId: string },
  now: Instant,
): Promise<Instant | null> {
  const [row] = await db.run(endOwn, [session.id, session.userId, now]);
  return row?.revoked_at ?? null;
}

const revokeSession = statement<{ id: string }>(
  'revoke_session',
  `UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND kind = 'session' AND revoked_at IS NULL RETURNING id`,
);

/** Ends the token if it is a session's. Answers whether it was one that was still good. */
export async function endSession(db: Executor, tokenId: string, now: Instant): Promise<boolean> {
  return (await db.run(revokeSession, [tokenId, now])).length > 0;
}
