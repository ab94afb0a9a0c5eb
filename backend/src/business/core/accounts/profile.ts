import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Caller } from '../../../operation.ts';
import { type StoredToken, TOKEN_COLUMNS } from '../access/token.ts';

/** A token with the person it speaks for. */
export interface Profile extends StoredToken {
  /** null for an operator. */
  readonly account_id: string | null;
  readonly email: string;
  readonly email_verified_at: Instant | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
  readonly timezone: string;
  readonly role: Caller['role'];
  readonly totp_confirmed_at: Instant | null;
  /** The operator who acts in the person's place, as people know them. */
  readonly impersonator: string | null;
}

const loadProfile = statement<Profile>(
  'load_profile',
  `SELECT ${TOKEN_COLUMNS}, t.account_id, u.email, u.email_verified_at, u.first_name, u.last_name, u.locale,
     u.timezone, u.role, u.totp_confirmed_at,
     coalesce(nullif(trim(o.first_name || ' ' || o.last_name), ''), o.email) AS impersonator
   FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN users o ON o.id = t.impersonated_by WHERE t.id = $1`,
);

/** Throws when there is no such token: whoever asks has just seen it. */
export async function profileOf(db: Executor, tokenId: string): Promise<Profile> {
  const [row] = await db.run(loadProfile, [tokenId]);
  if (row === undefined) throw new Error(`token ${tokenId} does not exist`);
  return row;
}
