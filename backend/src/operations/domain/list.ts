import { z } from 'zod';
import { currency, money } from '../../api/field.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { amountOf, wireAmount } from '../../base/money.ts';
import { listDomains } from '../../business/domains/list.ts';
import { operation } from '../../operation.ts';
import { tldName } from './domain.schema.ts';
import { domainState, pricesOf, shownDomain, wireDomain } from './shown.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/list',
  summary: 'Your domains',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject({
    ...paging(['created_at', 'expire_at', 'domain']),
    state: domainState.optional(),
    tld: tldName.optional(),
    expiring_within_days: z.int().min(1).max(3650).optional(),
    auto_renew: z.boolean().optional(),
  }),
  output: z.object({
    domains: z.array(
      z.object({
        ...shownDomain,
        renewal_price: money.describe('Of one year.'),
        currency,
        whois_privacy: z.boolean(),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your domains.', de: 'Das sind Ihre Domains.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { expiring_within_days: days } = input;
    const { domains, total } = await listDomains(
      ctx.db,
      ctx.caller.accountId,
      {
        state: input.state ?? null,
        tld: input.tld ?? null,
        expiresBefore: days === undefined ? null : ctx.now.add({ hours: 24 * days }),
        autoRenew: input.auto_renew ?? null,
        name: input.search === undefined ? null : containing(input.search),
        only: ctx.caller.resourceAllowlist,
      },
      { sort: input.sort, order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      domains: domains.map((domain) => ({
        ...wireDomain(domain, ctx.locale),
        renewal_price: wireAmount(amountOf(pricesOf(ctx.catalog, domain).renew)),
        currency: ctx.catalog.content.currency,
        whois_privacy: domain.whois_privacy,
      })),
      pagination: pageOf(input, total),
    };
  },
});
