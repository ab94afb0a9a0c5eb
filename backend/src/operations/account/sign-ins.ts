import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireTime } from '../../base/time.ts';
import { listSignIns } from '../../business/core/people/sign-in.ts';
import { operation } from '../../operation.ts';
import { seesAllTokens } from './token.schema.ts';

const { search: _, ...pages } = paging(['created_at']);

export default operation({
  method: 'GET',
  path: 'account/sign-ins',
  summary: 'Who logged in to your account, and who tried',
  description:
    'Owners and administrators see those of everybody in the account, others see their own. Tries that failed are ' +
    'gathered for a minute by person and network: `times` says how many there were.',
  audience: 'customer',
  scope: 'account:security',
  input: z.strictObject({
    ...pages,
    succeeded: z.boolean().optional().describe('true: sessions that began. false: tries that failed.'),
  }),
  output: z.object({
    sign_ins: z.array(
      z.object({
        created_at: timestamp,
        user: z.object({ uuid, email: z.string() }),
        succeeded: z.boolean(),
        error: z.string().nullable().describe('The code that the tries were refused with.'),
        times: z.int(),
        ip_address: z.string().nullable(),
        user_agent: z
          .string()
          .nullable()
          .describe('What the browser calls itself; null of tries that failed.'),
        session_uuid: uuid.nullable().describe('For `account/session-end`.'),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the sign-ins.', de: 'Das sind die Anmeldungen.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { accountId, userId, role } = ctx.caller;
    const { signIns, total } = await listSignIns(
      ctx.db,
      { accountId, userId: seesAllTokens(role) ? null : userId, succeeded: input.succeeded ?? null },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      sign_ins: signIns.map((one) => ({
        created_at: wireTime(one.created_at),
        user: { uuid: one.user_id, email: one.email },
        succeeded: one.refused === null,
        error: one.refused,
        times: one.times,
        ip_address: one.ip,
        user_agent: one.user_agent,
        session_uuid: one.token_id,
      })),
      pagination: pageOf(input, total),
    };
  },
});
