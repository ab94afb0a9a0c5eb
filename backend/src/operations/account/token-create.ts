import { z } from 'zod';
import { label, moneyInput, timestampInput, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { parseWireAmount } from '../../base/money.ts';
import { hasScope } from '../../base/scope.ts';
import { isBefore, parseWireTime } from '../../base/time.ts';
import { SCOPES } from '../../business/core/access/scope.ts';
import { issueToken, newTokenSecret, tokenOf } from '../../business/core/access/token.ts';
import { operation } from '../../operation.ts';
import { emit, lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { network } from './network.schema.ts';
import {
  checkReauthentication,
  demandReauthentication,
  REAUTHENTICATION_ERRORS,
  reauthentication,
} from './reauthentication.schema.ts';
import { token, wireToken } from './token.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/token-create',
  summary: 'Make an API token',
  description:
    'The token is in this answer and nowhere else. It can have no scope that the calling token lacks, and an ' +
    'API token that expires makes none that lasts longer. A session shows the second factor, or else the password.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({
    name: label.min(1, 'This must not be empty.'),
    scopes: z.array(z.enum(SCOPES)).min(1, 'At least one scope.').max(SCOPES.length),
    expires_at: timestampInput.optional().describe('Without it the token stays good.'),
    ip_allowlist: z.array(network).max(50).default([]).describe('Only from these; empty: from anywhere.'),
    resource_allowlist: z
      .array(uuid)
      .min(1)
      .max(200)
      .optional()
      .describe('Only these things; it orders nothing new.'),
    spending_limit_per_day: moneyInput.optional().describe('What it may spend a day, UTC.'),
    may_order_new: z
      .boolean()
      .default(false)
      .describe(
        'Of a token for certain things: it may order others, too. Needs `resource_allowlist` and ' +
          '`spending_limit_per_day`. What it orders it does not see: its list stays as it is.',
      ),
    dry_run_only: z.boolean().default(false).describe('It may read, and POST with `dry_run` only.'),
    ...reauthentication,
  }),
  output: token.extend({ token: z.string(), may_order_new: z.boolean(), dry_run_only: z.boolean() }),
  message: {
    en: 'The token was made. Keep it: it is shown once.',
    de: 'Das Token wurde angelegt. Es wird nur einmal gezeigt.',
  },
  errors: ['scope_missing', 'validation_failed', ...REAUTHENTICATION_ERRORS],
  secrets: ['token', 'password', 'code'],
  example: { input: { name: 'monitoring', scopes: ['server:read', 'panel:read'] } },
  ask: checkReauthentication,
  async handle(tx, ctx, input, _subject, checked) {
    await demandReauthentication(tx, ctx, input, checked);
    const { caller } = ctx;
    const lacking = input.scopes.find((scope) => !hasScope(caller.scopes, scope));
    if (lacking !== undefined) throw ctx.refusal('scope_missing', { members: { required_scope: lacking } });

    const refuse = (pointer: string, message: string) =>
      ctx.refusal('validation_failed', fieldProblem(pointer, 'not_allowed', message));
    const latest = caller.kind === 'api' ? caller.expiresAt : null;
    const expiresAt = input.expires_at === undefined ? latest : parseWireTime(input.expires_at);
    if (input.expires_at !== undefined && (expiresAt === null || !isBefore(ctx.uow.now, expiresAt))) {
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

    if (input.may_order_new && input.resource_allowlist === undefined) {
      throw refuse('/may_order_new', 'A token without `resource_allowlist` may order anyway.');
    }
    if (input.may_order_new && spendingLimit === null) {
      throw refuse('/spending_limit_per_day', 'A token that may order beyond its list needs a budget.');
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
      mayOrderNew: input.may_order_new,
      dryRunOnly: input.dry_run_only,
      spendingLimit,
      expiresAt,
    };
    const id = await issueToken(tx, draft, secret, ctx.uow.now);
    emit(ctx.uow, lockedAccount(ctx.uow, caller.accountId), {
      type: 'account.token_created',
      resource: null,
      body: { token_uuid: id, name: draft.name, scopes: draft.scopes, created_by: caller.userId },
    });
    const stored = await tokenOf(tx, id);
    if (stored === null) throw new Error('a token is gone that was just made');
    return {
      token: secret,
      ...wireToken(stored, ctx.uow.now),
      may_order_new: stored.may_order_new,
      dry_run_only: stored.dry_run_only,
    };
  },
});
