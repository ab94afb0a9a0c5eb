import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { orderRenewals } from '../../business/selling/subscriptions/renewal/renewal-order.ts';
import { operation } from '../../operation.ts';

/** Fewer than the place of those that have none. */
const MOST = 500;

export default operation({
  method: 'POST',
  path: 'account/renewal-order',
  summary: 'Say which services are renewed first when the money does not reach for all',
  description: 'In the order given, before all that are not named: those follow by the end of their terms.',
  audience: 'customer',
  scope: 'account:write',
  respectsAllowlist: true,
  input: z.strictObject({
    uuids: z
      .array(uuid)
      .max(MOST, `At most ${MOST} services.`)
      .refine((uuids) => new Set(uuids).size === uuids.length, 'Each service once.')
      .describe('Servers, webspaces, licenses and domains. None: no service comes before another.'),
  }),
  output: z.object({
    services: z.array(z.object({ uuid, renew_priority: z.int() })),
  }),
  message: {
    en: 'The order of renewals was saved.',
    de: 'Die Reihenfolge der Verlängerungen wurde gespeichert.',
  },
  errors: ['not_found'],
  example: { input: { uuids: ['0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11'] } },
  async handle(tx, ctx, { uuids }) {
    const { accountId, resourceAllowlist } = ctx.caller;
    if (!(await orderRenewals(tx, accountId, uuids, resourceAllowlist))) throw ctx.refusal('not_found');
    return { services: uuids.map((uuid, index) => ({ uuid, renew_priority: index + 1 })) };
  },
});
