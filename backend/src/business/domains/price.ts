import { type Amount, divideRounded } from '../../base/money.ts';
import { type Instant, isBefore } from '../../base/time.ts';
import type { Tld } from '../core/catalog/schema/tld.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import type { PriceLine } from '../selling/orders/price.ts';

/** What a domain costs, as unit prices for one year; transfer is null where none is offered. */
export interface DomainPrices {
  readonly register: bigint;
  readonly renew: bigint;
  readonly transfer: bigint | null;
  readonly restore: bigint;
}

/** The promotion that a registration at `now` gets, or null. It holds up to and including its last second. */
export function promotionAt(tld: Tld, now: Instant | null): Tld['promo'] {
  return tld.promo === null || now === null || isBefore(tld.promo.until, now) ? null : tld.promo;
}

/**
 * What a name under this TLD costs at `now`. A premium name has the registry's prices for its class, and no
 * promotion; whether there is a transfer at all is the TLD's matter.
 */
export function domainPrices(tld: Tld, premium: DomainPrices | null, now: Instant | null): DomainPrices {
  const { register, renew, transfer, restore } = premium ?? {
    ...tld,
    register: promotionAt(tld, now)?.register ?? tld.register,
  };
  return { register, renew, transfer: tld.transfer === null ? null : transfer, restore };
}

export type DomainAction = 'register' | 'transfer' | 'renew' | 'restore';

/** What of a domain is ordered. */
export interface PricedDomain {
  readonly tld: string;
  readonly action: DomainAction;
  readonly years: number;
  /** The registry's prices of a premium name. */
  readonly premium: DomainPrices | null;
  /** Whether the privacy service that its TLD may charge for is wanted. */
  readonly privacy: boolean;
}

/**
 * The lines of an order; null when the catalogue does not sell it. The first year of a registration is at the price of
 * a registration, every further one at that of a renewal, as if it were renewed later; of a premium name its registry
 * asks the price of a registration for all of them. A restoration brings further years at the price of renewals.
 * `now`: for promotions, of which only registrations have any.
 */
export function domainLines(
  priced: PricedDomain,
  now: Instant | null,
): (catalog: CatalogVersion) => readonly PriceLine[] | null {
  return ({ tlds }) => {
    const tld = tlds.get(priced.tld);
    // Who has a domain may keep it, also when no more are sold.
    const fresh = priced.action === 'register' || priced.action === 'transfer';
    if (tld === undefined || (fresh && !tld.sold)) return null;
    const lines = yearLines(priced, domainPrices(tld, priced.premium, now));
    if (lines === null) return null;
    const privacy = priced.privacy ? (tld.whois_privacy ?? 0n) : 0n;
    if (privacy === 0n || priced.years === 0) return lines;
    return [...lines, { description: 'WHOIS privacy (year)', quantity: priced.years, unitPrice: privacy }];
  };
}

function yearLines(
  { tld, action, years, premium }: PricedDomain,
  prices: DomainPrices,
): readonly PriceLine[] | null {
  const line = (what: string, quantity: number, unitPrice: bigint): PriceLine[] =>
    quantity === 0 ? [] : [{ description: `.${tld} ${what}`, quantity, unitPrice }];
  switch (action) {
    case 'register': {
      const atFull = premium === null ? 1 : years;
      return [
        ...line('registration (year)', atFull, prices.register),
        ...line('renewal (year)', years - atFull, prices.renew),
      ];
    }
    case 'transfer':
      return prices.transfer === null ? null : line('transfer', 1, prices.transfer);
    case 'renew':
      return line('renewal (year)', years, prices.renew);
    case 'restore':
      return [...line('restoration', 1, prices.restore), ...line('renewal (year)', years, prices.renew)];
  }
}

/** What of the gross price of a restoration that was sold by these lines is for anything but the restoration itself. */
export function renewalShare(
  gross: Amount,
  lines: readonly { readonly quantity: number; readonly unit_price: string }[],
): Amount {
  const [restoration = 0n, ...years] = lines.map((line) => BigInt(line.unit_price) * BigInt(line.quantity));
  const sum = years.reduce((all, one) => all + one, 0n);
  return sum === 0n ? 0n : divideRounded(gross * sum, restoration + sum);
}

/** A premium name's renewal, of which nothing else is known or needed. */
export function premiumRenewal(renew: bigint): DomainPrices {
  return { register: renew, renew, transfer: null, restore: renew };
}
