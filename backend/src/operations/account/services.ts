import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { serviceState } from '../../api/server.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { accountOf } from '../../business/core/accounts/account.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { listServices } from '../../business/selling/subscriptions/service-list.ts';
import { operation } from '../../operation.ts';

const product = z.enum(['license', 'server', 'webspace', 'domain']);

export default operation({
  method: 'GET',
  path: 'account/services',
  summary: 'Your services of all kinds, and what their renewals will cost',
  audience: 'customer',
  scope: 'account:read',
  respectsAllowlist: true,
  input: z.strictObject({
    ...paging(['created_at', 'expire_at', 'renew_priority']),
    product: product.optional(),
    state: serviceState.optional(),
    auto_renew: z.boolean().optional(),
  }),
  output: z.object({
    services: z.array(
      z.object({
        uuid,
        id: z.int(),
        product,
        name: z.string(),
        custom_name: z.string().nullable(),
        state: serviceState,
        state_text: z.string(),
        expire_at: timestamp,
        auto_renew: z.boolean(),
        renew_priority: z
          .int()
          .describe('The smaller is renewed first when the money does not reach for all.'),
        renewal_gross: money
          .nullable()
          .describe('What a further term costs; null: it will have none, or is not sold any more.'),
        currency,
        notices: z.array(timestamp).describe('When you will be told that the end of its term comes near.'),
        delete_at: timestamp.nullable().describe('When what is off is deleted for good.'),
        created_at: timestamp,
        version: z.int(),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your services.', de: 'Das sind Ihre Dienste.' },
  errors: ['validation_failed'],
  example: { input: { sort: 'expire_at', order: 'asc' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { accountId, resourceAllowlist } = ctx.caller;
    const { services, total } = await listServices(
      ctx.db,
      await accountOf(ctx.db, accountId),
      {
        product: input.product ?? null,
        state: input.state ?? null,
        autoRenew: input.auto_renew ?? null,
        name: input.search === undefined ? null : containing(input.search),
        only: resourceAllowlist,
      },
      { sort: input.sort, order: input.order, offset: offsetOf(input), limit: input.per_page },
      { catalogs: ctx.catalogs, current: ctx.catalog, now: ctx.now },
    );
    return {
      services: services.map((service) => ({
        uuid: service.id,
        id: Number(service.number),
        product: service.product,
        name: service.name,
        custom_name: service.custom_name,
        state: service.state,
        state_text: stateText(service.state, ctx.locale),
        expire_at: wireTime(service.expire_at),
        auto_renew: service.auto_renew,
        renew_priority: service.renew_priority,
        renewal_gross: service.renewal === null ? null : wireAmount(service.renewal.gross),
        currency: ctx.catalog.content.currency,
        notices: service.notices.map(wireTime),
        delete_at: wireTimeOrNull(service.delete_at),
        created_at: wireTime(service.created_at),
        version: service.version,
      })),
      pagination: pageOf(input, total),
    };
  },
});
