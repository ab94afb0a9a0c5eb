import { type Instant, isBefore } from '../../base/time.ts';
import type { Tld } from '../catalog/tld.ts';

/** What a domain costs, as unit prices for one year; transfer is null where none is offered. */
export interface DomainPrices {
  readonly register: bigint;
  readonly renew: bigint;
  readonly transfer: bigint | null;
  readonly restore: bigint;
}

/** The promotion that a registration at `now` gets, or null. It holds up to and including its last second. */
export function promotionAt(tld: Tld, now: Instant): Tld['promo'] {
  return tld.promo === null || isBefore(tld.promo.until, now) ? null : tld.promo;
}

/**
 * What a name under this TLD costs at `now`. A premium name has the registry's prices for its class, and no
 * promotion; whether there is a transfer at all is the TLD's matter.
 */
export function domainPrices(tld: Tld, premium: DomainPrices | null, now: Instant): DomainPrices {
  const { register, renew, transfer, restore } = premium ?? {
    ...tld,
    register: promotionAt(tld, now)?.register ?? tld.register,
  };
  return { register, renew, transfer: tld.transfer === null ? null : transfer, restore };
}
