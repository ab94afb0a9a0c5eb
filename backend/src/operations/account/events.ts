import { z } from 'zod';
import { eventsAfter } from '../../business/notifications/events/log.ts';
import { eventMessage } from '../../business/notifications/events/message.ts';
import { operation } from '../../operation.ts';
import { event, eventType } from './event.schema.ts';

export default operation({
  method: 'GET',
  path: 'account/events',
  summary: 'What happened to your account, from a cursor on',
  description:
    'Oldest first. Ask again with `after: <next_cursor>` for what has come since; while `more` is true there is more ' +
    'already, even when a page that filters is short or empty. Events are kept for two years.',
  audience: 'customer',
  scope: 'account:read',
  respectsAllowlist: true,
  input: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,18}$/, 'This must be a next_cursor.')
      .default('0')
      .describe('The `next_cursor` of the answer before; without it, from the oldest event on.'),
    types: z.array(eventType).min(1).max(50).optional(),
    per_page: z.int().min(1).max(500).default(100),
  }),
  output: z.object({ events: z.array(event), next_cursor: z.string(), more: z.boolean() }),
  message: { en: 'These are your events.', de: 'Das sind Ihre Ereignisse.' },
  errors: [],
  example: { input: { after: '0', types: ['order.paid'] } },
  async read(ctx, input) {
    const { accountId, resourceAllowlist } = ctx.caller;
    const filter = { types: input.types ?? null, resources: resourceAllowlist };
    const page = await eventsAfter(ctx.db, accountId, BigInt(input.after), filter, input.per_page);
    return {
      events: page.events.map(eventMessage),
      next_cursor: page.through.toString(),
      more: page.more,
    };
  },
});
