import { timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { sha256 } from '../base/canonical.ts';
import type { Sealer } from '../base/seal.ts';
import type { Instant } from '../base/time.ts';
import { SECOND_FACTOR_SCOPES } from '../business/core/access/scope.ts';
import { csrfToken, STAFF_IDLE_SECONDS } from '../business/core/access/session.ts';
import { CoalescedRead } from '../db/coalesce.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { Refusal } from '../errors.ts';
import type { Caller } from '../operation.ts';
import { LAST_USED_SECONDS } from './last-used.ts';

interface TokenRow {
  hash: Buffer;
  id: string;
  account_id: string | null;
  user_id: string;
  kind: 'session' | 'api';
  role: Caller['role'];
  scopes: string[];
  ip_allowlist: string[];
  resource_allowlist: string[] | null;
  dry_run_only: boolean;
  may_order_new: boolean;
  has_budget: boolean;
  impersonated_by: string | null;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  user_state: string;
  guarded: boolean;
  last_used_at: Instant;
}

/** A token as it was looked up, with its allowlist ready to be asked. */
export interface KnownToken {
  readonly caller: Caller;
  readonly revoked: boolean;
  readonly expiresAt: Instant | null;
  /** Of an operator's session: when it ends unless it is used; null for others. */
  readonly idleUntil: Instant | null;
  readonly allowed: BlockList | null;
}

const loadTokens = statement<TokenRow>(
  'tokens_by_hash',
  `SELECT t.hash, t.id, t.account_id, t.user_id, t.kind, u.role, t.scopes, t.ip_allowlist::text[] AS ip_allowlist,
     t.resource_allowlist, t.dry_run_only, t.may_order_new, t.spending_limit IS NOT NULL AS has_budget, t.impersonated_by,
     t.expires_at, t.revoked_at, u.totp_confirmed_at IS NOT NULL AS guarded, coalesce(t.last_used_at, t.created_at) AS last_used_at,
     CASE WHEN o.state <> 'active' THEN o.state ELSE u.state END AS user_state
   FROM unnest($1::bytea[]) k(hash) JOIN tokens t ON t.hash = k.hash JOIN users u ON u.id = t.user_id
     LEFT JOIN users o ON o.id = t.impersonated_by`,
);

const REMEMBER_MS = 900;
const MOST_REMEMBERED = 20_000;

/**
 * Finds out who calls. A token is remembered for at most 900 ms, counted from when its look-up was sent, so
 * that a revocation works in every process within a second; writes look again inside their transaction.
 */
export class Authenticator {
  readonly #remembered = new Map<string, { token: KnownToken | null; until: number }>();
  readonly #lookUp: CoalescedRead<string, KnownToken | null>;
  readonly #sealer: Sealer;

  constructor(db: Executor, sealer: Sealer) {
    this.#sealer = sealer;
    this.#lookUp = new CoalescedRead(async (secrets) => {
      const hashes = secrets.map((secret) => sha256(secret));
      const rows = new Map(
        (await db.run(loadTokens, [hashes])).map((row) => [row.hash.toString('hex'), row]),
      );
      return hashes.map((hash) => {
        const row = rows.get(hash.toString('hex'));
        return row === undefined ? null : knownToken(row);
      });
    });
  }

  /** The caller of a token, or a refusal (401, 403). */
  async caller(secret: string, ip: string, now: Instant): Promise<Caller> {
    const token = await this.#token(secret);
    if (token === null) throw new Refusal('token_invalid');
    if (token.revoked) throw new Refusal('token_revoked');
    for (const end of [token.expiresAt, token.idleUntil])
      if (end !== null && Temporal.Instant.compare(end, now) <= 0) throw new Refusal('token_expired');
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
    if (token.allowed !== null && !token.allowed.check(ip, family)) {
      throw new Refusal('ip_not_allowed', { concerns: token.caller });
    }
    return token.caller;
  }

  /**
   * The account that a token belonged to when it was last looked up, when it has to be looked up again: a hint of
   * what will be asked for, and no permission to anything.
   */
  staleAccount(secret: string): string | null {
    const known = this.#remembered.get(secret);
    if (known === undefined || known.until > performance.now()) return null;
    return known.token?.caller.accountId ?? null;
  }

  /** Whether this is the CSRF token that belongs to a session's secret. */
  csrfMatches(tokenId: string, given: string): boolean {
    const expected = Buffer.from(csrfToken(this.#sealer, tokenId));
    const actual = Buffer.from(given);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  async #token(secret: string): Promise<KnownToken | null> {
    const sentAt = performance.now();
    const known = this.#remembered.get(secret);
    if (known !== undefined && known.until > sentAt) return known.token;
    const token = await this.#lookUp.get(secret);
    // Unknown tokens are not remembered: guesses must not fill the memory. Nor is who is setting up what lets them in.
    if (token === null || token.caller.lacksSecondFactor) this.#remembered.delete(secret);
    else this.#remembered.set(secret, { token, until: sentAt + REMEMBER_MS });
    if (this.#remembered.size > MOST_REMEMBERED) this.#forget(sentAt);
    return token;
  }

  #forget(now: number): void {
    for (const [secret, { until }] of this.#remembered) if (until <= now) this.#remembered.delete(secret);
  }
}

function knownToken(row: TokenRow): KnownToken {
  const isSession = row.kind === 'session';
  const isOperators = isSession && (row.role === 'staff' || row.impersonated_by !== null);
  const lacksSecondFactor = isSession && row.role === 'staff' && !row.guarded;
  return {
    caller: {
      accountId: row.account_id,
      userId: row.user_id,
      tokenId: row.id,
      kind: row.kind,
      role: row.role,
      scopes: lacksSecondFactor ? SECOND_FACTOR_SCOPES : row.scopes,
      resourceAllowlist: row.resource_allowlist,
      dryRunOnly: row.dry_run_only,
      mayOrderNew: row.resource_allowlist === null || row.may_order_new,
      limited: row.ip_allowlist.length > 0 || row.resource_allowlist !== null || row.has_budget,
      impersonatedBy: row.impersonated_by,
      lacksSecondFactor,
      expiresAt: row.expires_at,
    },
    revoked: row.revoked_at !== null || row.user_state !== 'active',
    expiresAt: row.expires_at,
    idleUntil: isOperators ? row.last_used_at.add({ seconds: STAFF_IDLE_SECONDS + LAST_USED_SECONDS }) : null,
    allowed: row.ip_allowlist.length === 0 ? null : allowlist(row.ip_allowlist),
  };
}

function allowlist(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}
