import { z } from 'zod';
import { currency, money, timestamp } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { offsetOf, pageOf, pagination, paging } from '../../api/page.ts';
import { display, pricesTax, type ShownPrices, shownPrices } from '../../api/shown-prices.ts';
import { unicodeName } from '../../base/domain-name.ts';
import { type Instant, wireTime } from '../../base/time.ts';
import { viewerOf } from '../../business/core/accounts/viewer.ts';
import type { Tld } from '../../business/core/catalog/schema/tld.ts';
import { promotionAt } from '../../business/domains/price.ts';
import { operation } from '../../operation.ts';
import { domainPricing, tldName, wireDomainPrices } from './domain.schema.ts';

const SORTS = ['tld', 'register', 'renew', 'transfer', 'restore'] as const;

const price = z.object({
  tld: z.string().describe('In punycode, without a dot in front'),
  ...domainPricing.shape,
  trade: money.nullable().describe('For a change of owner; null where that is a plain update of a contact'),
  whois_privacy: money.nullable().describe('null where it is not offered'),
  periods: z.array(z.int()).describe('Years that a domain can be registered or renewed for'),
  promo: z
    .object({ register: money, until: timestamp })
    .nullable()
    .describe('The price of a registration while the promotion lasts, instead of `register`'),
  features: z.object({
    idn: z.boolean(),
    dnssec: z.boolean(),
    whois_privacy: z.boolean(),
    authcode: z.boolean(),
    glue: z.boolean(),
  }),
  add_grace_days: z.int(),
  renew_grace_days: z.int(),
  redemption_days: z.int(),
  transfer_extends: z.boolean().describe('A transfer adds a term'),
  contact_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of a contact's `extra`"),
});

export default operation({
  method: 'GET',
  path: 'domain/pricelist',
  summary: 'TLDs, their prices and their rules',
  description: 'Prices are for one year. Premium names have prices of their own: see `domain/check`.',
  audience: 'public',
  scope: null,
  input: z.strictObject({
    ...paging(SORTS, 2_000),
    order: z.enum(['asc', 'desc']).default('asc'),
    tlds: z
      .array(tldName)
      .max(2_000)
      .optional()
      .describe('Only these; those that are not sold are left out.'),
    search: z.string().max(100).optional().describe('A part of the TLD, in Unicode or punycode'),
    currency: z
      .string()
      .length(3)
      .optional()
      .describe('Prices are kept in one currency; others are refused.'),
    display,
  }),
  output: z.object({
    currency,
    tax_included: z.boolean(),
    tax: pricesTax,
    prices: z.array(price),
    pagination,
    updated_at: timestamp,
  }),
  message: { en: 'These TLDs are sold.', de: 'Diese TLDs werden verkauft.' },
  errors: ['validation_failed'],
  example: { input: { tlds: ['com', 'de'] } },
  async read(ctx, input) {
    const { content, version } = ctx.catalog;
    if (input.currency !== undefined && input.currency.toUpperCase() !== content.currency) {
      const [message, allowed] = [`Prices are in ${content.currency}.`, [content.currency]];
      throw ctx.refusal('validation_failed', fieldProblem('/currency', 'not_allowed', message, { allowed }));
    }
    const wanted = input.tlds === undefined ? null : new Set(input.tlds);
    const found = content.tlds
      .filter(
        (tld) => tld.sold && (wanted === null || wanted.has(tld.tld)) && contains(tld.tld, input.search),
      )
      .sort(byField(input.sort, input.order));
    const start = offsetOf(input);
    const [viewer, { created_at }] = await Promise.all([
      viewerOf(ctx.db, ctx.caller),
      ctx.db.kysely
        .selectFrom('catalog_versions')
        .select('created_at')
        .where('version', '=', version)
        .executeTakeFirstOrThrow(),
    ]);
    const shown = shownPrices(input.display, ctx.catalog, viewer, ctx.now);
    return {
      currency: content.currency,
      tax_included: shown.taxIncluded,
      tax: shown.tax,
      prices: found.slice(start, start + input.per_page).map((tld) => wirePrice(tld, shown, ctx.now)),
      pagination: pageOf(input, found.length),
      updated_at: wireTime(created_at),
    };
  },
});

/** Whether the TLD has the text in it, as it is in the DNS or as people read it. */
function contains(tld: string, search = ''): boolean {
  const text = search.trim().replace(/^\./, '').toLowerCase().normalize('NFC');
  return tld.includes(text) || unicodeName(tld).includes(text);
}

/** Equal prices in the order of the names; what is not offered comes last, whatever the order. */
function byField(field: (typeof SORTS)[number], order: 'asc' | 'desc') {
  const sign = order === 'asc' ? 1 : -1;
  return (a: Tld, b: Tld): number => {
    const [left, right] = [a[field], b[field]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (left !== right) return left < right ? -sign : sign;
    return a.tld < b.tld ? -1 : 1;
  };
}

function wirePrice(tld: Tld, shown: ShownPrices, now: Instant): z.input<typeof price> {
  const promo = promotionAt(tld, now);
  return {
    tld: tld.tld,
    ...wireDomainPrices(tld, shown.price),
    trade: tld.trade === null ? null : shown.price(tld.trade),
    whois_privacy: tld.whois_privacy === null ? null : shown.price(tld.whois_privacy),
    periods: tld.periods,
    promo: promo === null ? null : { register: shown.price(promo.register), until: wireTime(promo.until) },
    features: tld.features,
    add_grace_days: tld.add_grace_days,
    renew_grace_days: tld.renew_grace_days,
    redemption_days: tld.redemption_days,
    transfer_extends: tld.transfer_extends,
    contact_schema: tld.contact_schema,
  };
}
