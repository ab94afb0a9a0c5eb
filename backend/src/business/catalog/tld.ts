import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import { ContactSchema } from './contact-schema.ts';
import { Name, UtcTime } from './label.ts';
import { Price } from './price.ts';

/** A suffix that names are sold under, as it is in the DNS: `de`, `co.uk`, `xn--p1ai`. */
export const TldName = z
  .string()
  .max(100)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*([a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/,
    'must be in lower case and in punycode, without a dot in front',
  )
  .refine((name) => !name.includes('xn--') || domainToUnicode(name) !== '', 'is not valid punycode');

const Days = z.int().min(0).max(366);

const promotion = z.strictObject({ register: Price, until: UtcTime });

const features = { idn: z.boolean(), dnssec: z.boolean(), glue: z.boolean() };

/** How the registry behaves; what is true of it decides when we must act on a domain nobody paid for. */
const policy = {
  /** The registry renews at the end of a term by itself and charges us. */
  autorenew_at_registry: z.boolean(),
  /** Days after the end of the paid term by which we must delete an unpaid domain; before it if negative. */
  delete_deadline_days: z.int().min(-60).max(90),
  /** The registry accepts a renewal at most this many days before the end of the term; null: at any time. */
  renew_not_before_days: z.int().min(1).max(366).nullable(),
  /** The registration ends only when we delete it; otherwise the registry lets it expire. */
  explicit_delete: z.boolean(),
  /** With a code from the present registrar; pushed by the present registrar to our tag; or not at all. */
  transfer_model: z.enum(['authcode', 'tag_push', 'none']),
};

/** What an entry, the defaults and a profile may all say. Prices are for one year, tax included. */
const common = {
  sold: z.boolean(),
  /** The configured registry connection. */
  registry: Name,
  register: Price,
  renew: Price,
  transfer: Price.nullable(),
  restore: Price,
  trade: Price.nullable(),
  whois_privacy: Price.nullable(),
  promo: promotion.nullable(),
  /** Years that it can be registered or renewed for, ascending. */
  periods: z
    .array(z.int().min(1).max(10))
    .min(1)
    .refine((years) => years.every((year, i) => i === 0 || year > (years[i - 1] ?? 0)), 'must be ascending'),
  add_grace_days: Days,
  renew_grace_days: Days,
  redemption_days: Days,
  /** A transfer brings a further term, which is what its price pays for. */
  transfer_extends: z.boolean(),
  contact_schema: ContactSchema,
};

/**
 * What is left out of the entries of `tlds` because it is the same for many. An entry's own fields win over
 * its profile's, those over `tld_defaults`; `features` and `policy` are merged field by field.
 */
export const TldDefaults = z
  .strictObject({
    ...common,
    features: z.strictObject(features).partial(),
    policy: z.strictObject(policy).partial(),
  })
  .partial();
export type TldDefaults = z.output<typeof TldDefaults>;

/** A TLD with everything that applies to it. */
export const Tld = z
  .strictObject({
    tld: TldName,
    profile: Name.nullable(),
    ...common,
    features: z.strictObject({ ...features, whois_privacy: z.boolean(), authcode: z.boolean() }),
    policy: z.strictObject(policy),
  })
  .superRefine((tld, ctx) => {
    const problem = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message });
    if (tld.features.whois_privacy !== (tld.whois_privacy !== null)) {
      problem(
        ['features', 'whois_privacy'],
        'contradicts whois_privacy, whose price is null where it is not offered',
      );
    }
    if (tld.features.authcode !== (tld.policy.transfer_model === 'authcode')) {
      problem(['features', 'authcode'], 'contradicts policy.transfer_model');
    }
    if (tld.policy.transfer_model === 'none' && tld.transfer !== null) {
      problem(['transfer'], 'must be null where policy.transfer_model is none');
    }
    if (tld.promo !== null && tld.promo.register > tld.register) {
      problem(['promo', 'register'], 'is dearer than the regular price');
    }
  });
export type Tld = z.output<typeof Tld>;
