import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import { ContactSchema } from './contact-schema.ts';
import { IdnRules } from './idn-rules.ts';
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

/** The registry connection that tells only whether names are taken: nothing can be registered over it. */
export const AVAILABILITY_ONLY = 'rdap';

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
  /** So long after a registration, a transfer or a change of owner a domain is not transferred to another registrar. */
  transfer_lock_days: Days,
  /**
   * ICANN's rules on registrants hold: owners agree to a change, and prove their e-mail addresses. null: as the name
   * tells, which is a country's where it ends with two letters, or with an internationalised label.
   */
  icann: z.boolean().nullable(),
  /** The roles beside the owner's that the registry wants to know; it is told of no others. */
  contact_roles: z.array(z.enum(['admin', 'tech', 'zone'])),
  /** For how long resolvers remember the DS, and the NS, that the registry publishes. */
  ds_ttl_hours: z.int().min(1).max(168),
  ns_ttl_hours: z.int().min(1).max(168),
  /** How long a code that was given out holds; then it is cleared at the registry (RFC 9154). */
  authcode_days: z.int().min(1).max(90),
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
  /** Which names in other than ASCII the registry takes; null: any that IDNA2008 allows, or it alone knows. */
  idn: IdnRules.nullable(),
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
    if (tld.policy.autorenew_at_registry && !tld.policy.explicit_delete) {
      const message = 'must be true where the registry renews by itself: it never lets a registration expire';
      problem(['policy', 'explicit_delete'], message);
    }
    if (tld.policy.autorenew_at_registry && tld.policy.delete_deadline_days > tld.renew_grace_days) {
      const message =
        'lies beyond renew_grace_days: the registry then keeps what it charged for renewing by itself';
      problem(['policy', 'delete_deadline_days'], message);
    }
    if (tld.registry === AVAILABILITY_ONLY && tld.sold) {
      problem(['sold'], `must be false where the registry is ${AVAILABILITY_ONLY}, which registers nothing`);
    }
    if (tld.idn !== null && !tld.features.idn) {
      problem(['idn'], 'contradicts features.idn, which says that there are no such names');
    }
    if (tld.promo !== null && tld.promo.register > tld.register) {
      problem(['promo', 'register'], 'is dearer than the regular price');
    }
  });
export type Tld = z.output<typeof Tld>;

/** Whether customers may search names under it: what is sold, and what only the availability is told of. */
export function isSearched({ sold, registry }: Tld): boolean {
  return sold || registry === AVAILABILITY_ONLY;
}

/** Whether ICANN's rules on registrants hold under it. */
export function isGeneric({ tld, policy }: Pick<Tld, 'tld' | 'policy'>): boolean {
  return policy.icann ?? /(^|\.)[a-z]{3,}$/.test(tld);
}
