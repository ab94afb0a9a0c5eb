import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { listDeliveries } from '../../business/notifications/webhooks/history.ts';
import { webhookOf } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';

const state = z.enum(['pending', 'delivered', 'failed']);

export default operation({
  method: 'GET',
  path: 'account/webhook-deliveries',
  summary: 'What was sent to a webhook, and what came of it',
  description: 'Of the last 30 days. `search` is for a part of the type.',
  audience: 'customer',
  scope: 'account:read',
  input: z.strictObject({ uuid, ...paging(['created_at']), state: state.optional() }),
  output: z.object({
    deliveries: z.array(
      z.object({
        uuid,
        event_uuid: uuid,
        type: z.string(),
        sequence: z.int(),
        reason: z.enum(['event', 'replay', 'test']).describe('Why it is sent.'),
        state,
        attempts: z.array(
          z.object({
            at: timestamp,
            status: z.int().nullable().describe('Of the answer; null: there was none.'),
            duration_ms: z.int(),
            error: z.string().nullable().describe('null: accepted.'),
            answer: z.string().nullable().describe('Its first KiB, unless it accepts.'),
          }),
        ),
        next_attempt_at: timestamp.nullable(),
        created_at: timestamp,
        finished_at: timestamp.nullable(),
      }),
    ),
    pagination,
  }),
  message: { en: 'This was sent.', de: 'Das wurde gesendet.' },
  errors: ['not_found', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', state: 'failed' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const found = await webhookOf(ctx.db, ctx.caller.accountId, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    const { deliveries, total } = await listDeliveries(
      ctx.db,
      {
        webhookId: found.id,
        state: input.state ?? null,
        type: input.search === undefined ? null : containing(input.search),
      },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      deliveries: deliveries.map((delivery) => ({
        uuid: delivery.id,
        event_uuid: delivery.event_id,
        type: delivery.event_type,
        sequence: Number(delivery.sequence),
        reason: delivery.kind,
        state: delivery.state,
        attempts: [...delivery.log],
        next_attempt_at: wireTimeOrNull(delivery.due_at),
        created_at: wireTime(delivery.created_at),
        finished_at: wireTimeOrNull(delivery.finished_at),
      })),
      pagination: pageOf(input, total),
    };
  },
});
