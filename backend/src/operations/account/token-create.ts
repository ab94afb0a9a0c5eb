import { z } from 'zod';
import { parseWireAmount } from '../../base/money.ts';
import { hasScope } from '../../base/scope.ts';
import { isBefore, parseWireTime } from '../../base/time.ts';
import { emit, lockedAccount } from '../../business/accounts/frame.ts';
import { SCOPES } from '../../business/accounts/scope.ts';
import { issueToken, newTokenSecret, type StoredToken, tokenOf } from '../../business/accounts/token.ts';
import { operation } from '../../operation.ts';
import { label, moneyInput, timestamp, uuid } from '../../shapes/field.ts';
import { network } from '../../shapes/network.ts';
import { fieldProblem } from '../../shapes/order.ts';
import { token, wireToken } from '../../shapes/token.ts';

export default operation({
  method: 'POST',
  path: 'account/token-create',
  summary: 'Make an API token',
  description:
    'The token is in this answer and nowhere else. It can have no scope that the calling token lacks, and an ' +
    'API token that expires makes none that lasts longer.',
  audience: 'customer',
  scope: 'account:write',
  input: z.strictObject({
    name: label.min(1, 'This must not be empty.'),
    scopes: z.array(z.enum(SCOPES)).min(1, 'At least one scope.').max(SCOPES.length),
    expires_at: timestamp.optional().describe('`YYYY-MM-DD HH:MM:SS`, UTC; without it the token stays good.'),
    ip_allowlist: z.array(network).max(50).default([]).describe('Only from these; empty: from anywhere.'),
    resource_allowlist: z.array(uuid).min(1).max(200).optional().describe('Only these things.'),
    spending_limit_per_day: moneyInput.optional().describe('What it may spend a day, UTC.'),
    dry_run_only: z.boolean().default(false).describe('It may read, and POST with `dry_run` only.'),
  }),
  output: token.extend({ token: z.string(), dry_run_only: z.boolean() }),
  message: {
    en: 'The token was made. Keep it: it is shown once.',
    de: 'Das Token wurde angelegt. Es wird nur einmal gezeigt.',
  },
  errors: ['scope_missing', 'token_restricted', 'validation_failed'],
  secrets: ['token'],
  example: { input: { name: 'monitoring', scopes: ['server:read', 'panel:read'] } },
  async handle(tx, ctx, input) {
    const { caller } = ctx;
    const lacking = input.scopes.find((scope) => !hasScope(caller.scopes, scope));
    if (lacking !== undefined) throw ctx.refusal('scope_missing', { members: { required_scope: lacking } });
    // What a token may not do itself, one that it makes could do for it.
    if (isRestricted(await tokenOf(tx, caller.tokenId))) throw ctx.refusal('token_restricted');

    const refuse = (pointer: string, message: string) =>
      ctx.refusal('validation_failed', fieldProblem(pointer, 'not_allowed', message));
    const latest = caller.kind === 'api' ? caller.expiresAt : null;
    const expiresAt = input.expires_at === undefined ? latest : parseWireTime(input.expires_at);
    if (input.expires_at !== undefined && (expiresAt === null || !isBefore(ctx.frame.now, expiresAt))) {
      throw refuse('/expires_at', 'This must be a moment in the future.');
    }
    if (latest !== null && expiresAt !== null && isBefore(latest, expiresAt)) {
      throw refuse('/expires_at', 'The token cannot outlive the one that makes it.');
    }
    const limit = input.spending_limit_per_day;
    const spendingLimit = limit === undefined ? null : parseWireAmount(limit);
    if (limit !== undefined && spendingLimit === null) {
      throw refuse('/spending_limit_per_day', 'At most two decimals.');
    }

    const secret = newTokenSecret();
    const draft = {
      accountId: caller.accountId,
      userId: caller.userId,
      kind: 'api' as const,
      name: input.name,
      scopes: [...new Set(input.scopes)],
      ipAllowlist: input.ip_allowlist,
      resourceAllowlist: input.resource_allowlist ?? null,
      dryRunOnly: input.dry_run_only,
      spendingLimit,
      expiresAt,
    };
    const id = await issueToken(tx, draft, secret, ctx.frame.now);
    emit(ctx.frame, lockedAccount(ctx.frame, caller.accountId), {
      type: 'account.token_created',
      resource: null,
      body: { token_uuid: id, name: draft.name, scopes: draft.scopes, created_by: caller.userId },
    });
    const stored = await tokenOf(tx, id);
    if (stored === null) throw new Error('a token is gone that was just made');
    return { token: secret, ...wireToken(stored, ctx.frame.now), dry_run_only: stored.dry_run_only };
  },
});

function isRestricted(token: StoredToken | null): boolean {
  return (
    token === null ||
    token.ip_allowlist.length > 0 ||
    token.resource_allowlist !== null ||
    token.spending_limit !== null ||
    token.dry_run_only
  );
}
