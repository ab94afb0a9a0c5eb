import { z } from 'zod';
import { timestamp } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireTimeOrNull } from '../../base/time.ts';
import { listTokens } from '../../business/core/access/token-list.ts';
import { operation } from '../../operation.ts';
import { seesAllTokens, token, wireToken } from './token.schema.ts';

const state = z.enum(['active', 'expired', 'revoked']);

export default operation({
  method: 'GET',
  path: 'account/tokens',
  summary: 'Your API tokens and sessions',
  description:
    'Owners and administrators see those of everybody in the account, others see their own, and so do operators.',
  audience: 'person',
  scope: 'account:read',
  input: z.strictObject({
    ...paging(['created_at']),
    state: state.optional(),
    type: z.enum(['session', 'api']).optional(),
  }),
  output: z.object({
    tokens: z.array(
      token.extend({
        state,
        current: z.boolean().describe('The one that this request came with.'),
        may_order_new: z.boolean().describe('Of a token for certain things: it may order others.'),
        dry_run_only: z.boolean(),
        revoked_at: timestamp.nullable(),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your tokens.', de: 'Das sind Ihre Tokens.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { accountId, userId, role, tokenId } = ctx.caller;
    const { tokens, total } = await listTokens(
      ctx.db,
      {
        accountId,
        userId: seesAllTokens(role) ? null : userId,
        kind: input.type ?? null,
        state: input.state ?? null,
        name: input.search === undefined ? null : containing(input.search),
      },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
      ctx.now,
    );
    return {
      tokens: tokens.map((stored) => ({
        ...wireToken(stored, ctx.now),
        state: stored.state,
        current: stored.id === tokenId,
        may_order_new: stored.may_order_new,
        dry_run_only: stored.dry_run_only,
        revoked_at: wireTimeOrNull(stored.revoked_at),
      })),
      pagination: pageOf(input, total),
    };
  },
});
