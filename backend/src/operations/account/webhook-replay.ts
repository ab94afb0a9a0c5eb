import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { MOST_REPLAYED, replayEvent, replayRange } from '../../business/notifications/webhooks/replay.ts';
import { webhookOf } from '../../business/notifications/webhooks/webhook.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { webhookInactive } from './webhook.schema.ts';

const sequence = z.int().min(1);

export default operation({
  method: 'POST',
  path: 'account/webhook-replay',
  summary: 'Have events sent again',
  description:
    'One event by its uuid, or those of a range of sequences (at most 1,000) whose types the webhook has chosen; of ' +
    'the last 30 days. They keep their uuids and sequences, and come before what is newer.',
  audience: 'customer',
  scope: 'account:write',
  security: true,
  input: z.strictObject({
    uuid,
    event_uuid: uuid.optional(),
    from_sequence: sequence.optional(),
    to_sequence: sequence.optional().describe('Included; without it, up to the newest.'),
  }),
  output: z.object({
    uuid,
    queued: z.int().describe('Events that will be sent; those that wait anyway are not counted.'),
  }),
  message: { en: 'The events will be sent again.', de: 'Die Ereignisse werden erneut gesendet.' },
  errors: ['not_found', 'state_conflict', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', from_sequence: 1, to_sequence: 100 } },
  async handle(tx, ctx, input) {
    const { event_uuid: eventId, from_sequence: first, to_sequence: last } = input;
    const { now } = ctx.uow;
    const refuse = (pointer: string, error: 'not_allowed' | 'required' | 'out_of_range', message: string) =>
      ctx.refusal('validation_failed', fieldProblem(pointer, error, message));
    if (eventId !== undefined && (first !== undefined || last !== undefined)) {
      throw refuse('/event_uuid', 'not_allowed', 'Either one event or a range.');
    }
    if (eventId === undefined && first === undefined) {
      throw refuse('/from_sequence', 'required', 'Either an event_uuid or a from_sequence is needed.');
    }
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const found = await webhookOf(tx, account.id, input.uuid);
    if (found === null) throw ctx.refusal('not_found');
    if (!found.active) throw ctx.refusal('state_conflict', webhookInactive(found, now));
    if (eventId !== undefined) {
      const queued = await replayEvent(tx, found, eventId, now);
      if (queued === null) throw ctx.refusal('not_found');
      return { uuid: found.id, queued };
    }
    const from = BigInt(first ?? 1);
    const to = last === undefined ? account.eventSeq : BigInt(last);
    if (to - from >= BigInt(MOST_REPLAYED)) {
      throw refuse('/to_sequence', 'out_of_range', `At most ${MOST_REPLAYED} events at once.`);
    }
    return { uuid: found.id, queued: await replayRange(tx, found, { from, to }, now) };
  },
});
