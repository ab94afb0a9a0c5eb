import { z } from 'zod';
import { Percent, Price } from './price.ts';

const days = (most: number) => z.int().min(0).max(most);

/** What happens to a service around the end of its term, in days of 24 hours. */
const ProductLifecycle = z.strictObject({
  /** Notices so long before the end; each is left out for terms that are not longer than twice that. */
  notices: z.array(z.int().min(1).max(90)).max(5).default([14, 3]),
  /** A service that renews itself is renewed so long before the end; one sold by the hour, in its last hour. */
  renew_days: days(30).default(1),
  /** After the end it runs on for so long; then it is switched off. */
  grace_days: days(90).default(3),
  /** Switched off, it is kept for so long; then it is deleted. */
  keep_days: days(365).default(30),
  /** What is paid back on a withdrawal within 14 days: nothing, once delivered, or the days that are left. */
  withdrawal: z.enum(['none', 'pro_rata']).default('pro_rata'),
});
export type ProductLifecycle = z.output<typeof ProductLifecycle>;

/** The life of each product's services. A license has no grace: products that check it go by its end. */
export const Life = z.strictObject({
  license: ProductLifecycle.extend({
    // Off at its end, it would start afresh each time, a little later and on another day.
    renew_days: z.int().min(1).max(30).default(1),
    grace_days: z.literal(0, 'a license has no grace: it is checked against its end').default(0),
  }).prefault({}),
  server: ProductLifecycle.prefault({}),
  webspace: ProductLifecycle.prefault({}),
  // ICANN's Expired Registration Recovery Policy (§2.1) wants notices about a month and a week before the end.
  domain: ProductLifecycle.extend({
    notices: ProductLifecycle.shape.notices.default([30, 7]),
    renew_days: days(30).default(3),
  }).prefault({}),
});
export type Life = z.output<typeof Life>;

/** What whoever brings a customer gets. */
export const AffiliateTerms = z
  .strictObject({
    enabled: z.boolean().default(false),
    commission: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('percent'), value: Percent }),
        z.strictObject({ type: z.literal('fixed'), value: Price }),
      ])
      .prefault({ type: 'percent', value: 10 }),
    /** For every order, or for the first one only. */
    recurring: z.boolean().default(false),
    hold_days: days(365).default(30),
  })
  .prefault({});
export type AffiliateTerms = z.output<typeof AffiliateTerms>;

/** What may be paid in at once. */
export const TopUpLimits = z
  .strictObject({
    least: Price.default(5_0000n),
    most: Price.default(5_000_0000n),
    /** Play money beside the real ways to pay, for demonstrations: nobody gets it unless it is asked for here. */
    sandbox: z.boolean().default(false),
  })
  .refine((limits) => limits.least <= limits.most, { path: ['most'], message: 'must not be below least' })
  .prefault({});
export type TopUpLimits = z.output<typeof TopUpLimits>;
