import type { BasisPoints } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { isMemberState, standardRate } from './rates.ts';
import { taxedAs } from './territory.ts';

export type TaxKind = 'standard' | 'reverse_charge' | 'export' | 'small_business';

/** How the seller is taxed. */
export interface TaxHome {
  /** At the seller's home. */
  readonly homeRate: BasisPoints;
  /** ISO 3166-1; null while the catalogue names no seller. */
  readonly homeCountry: string | null;
  readonly scheme: 'standard' | 'small_business';
  /** Whether the seller declares the tax of other member states by the one-stop shop. */
  readonly oneStopShop: boolean;
}

/** What decides of a customer. */
export interface TaxedCustomer {
  /** The tax territory (territory.ts) of the customer's address; empty while it is unknown. */
  readonly country: string;
  /** A business whose VAT number was confirmed. */
  readonly business: boolean;
}

export interface TaxTreatment {
  readonly kind: TaxKind;
  /** What is charged; 0 for every kind but `standard`. */
  readonly rate: BasisPoints;
  /** Where the sale is taxed: by whose rate, or whose tax the customer owes. Empty while no seller is named. */
  readonly country: string;
}

/**
 * How an electronically supplied service is taxed that is sold at `at` (Art. 44, 45, 58 and 59c of Directive
 * 2006/112/EC). Every customer gets exactly one treatment. A seller who does not use the one-stop shop stays below
 * the yearly threshold of Art. 59c, which nobody counts here; the threshold is for sellers within the EU only.
 */
export function taxTreatment(home: TaxHome, customer: TaxedCustomer, at: Instant): TaxTreatment {
  const homeCountry = taxedAs(home.homeCountry ?? '');
  const country = taxedAs(customer.country);
  if (home.scheme === 'small_business') return { kind: 'small_business', rate: 0, country: homeCountry };

  const atHome: TaxTreatment = { kind: 'standard', rate: home.homeRate, country: homeCountry };
  if (homeCountry === '' || country === '' || country === homeCountry) return atHome;

  const theirRate = standardRate(country, at);
  if (theirRate === null) return { kind: 'export', rate: 0, country };
  if (customer.business) return { kind: 'reverse_charge', rate: 0, country };
  if (home.oneStopShop) return { kind: 'standard', rate: theirRate, country };
  return isMemberState(homeCountry) ? atHome : { kind: 'export', rate: 0, country };
}
