import { z } from 'zod';
import { type UnitPrice, wireUnitPrice } from '../base/money.ts';
import type { Instant } from '../base/time.ts';
import type { Account } from '../business/core/accounts/account.ts';
import type { Pricings, UnitPricings } from '../business/core/catalog/schema/price.ts';
import type { CatalogVersion } from '../business/core/catalog/versions.ts';
import { netPrice } from '../business/core/tax/net-price.ts';
import { taxationOf } from '../business/core/tax/taxation.ts';

export const display = z
  .enum(['gross', 'net'])
  .default('gross')
  .describe('`net`: every price without the tax at the seller’s home; what is charged is the same.');

/** How the prices of a list and the caller's tax go together. */
export const pricesTax = z
  .object({
    kind: z.enum(['standard', 'reverse_charge', 'export', 'small_business']),
    rate: z.number().describe('Percent that you are charged; without a token, at the seller’s home.'),
    included: z.boolean().describe('Whether the prices here include the tax at home.'),
    home_rate: z.number().describe('Percent'),
  })
  .describe('Who pays no tax pays the price without the tax at home; everybody else pays the price with it.');

const CENT = 100n;

export type ShownPrices = ReturnType<typeof shownPrices>;

/** The prices of a list as they are to be shown. `customer`: who asks, when that is a customer. */
export function shownPrices(
  wanted: z.output<typeof display>,
  catalog: CatalogVersion,
  customer: Pick<Account, 'tax_country' | 'tax_business'> | null,
  now: Instant,
) {
  const { tax, tax_rate } = catalog.content;
  // A small business charges no tax: there is none in its prices.
  const homeRate = tax.scheme === 'small_business' ? 0 : tax_rate;
  const included = wanted === 'gross';
  const taken = included ? 0 : homeRate;
  const unknown = { taxCountry: '', taxBusiness: false };
  const who =
    customer === null ? unknown : { taxCountry: customer.tax_country, taxBusiness: customer.tax_business };
  const { kind, rate } = taxationOf(catalog, who, now);

  /** A price that is charged as it stands: whole cents. */
  const price = (full: UnitPrice): number => wireUnitPrice(netPrice(full, taken, CENT));
  /** A price that is multiplied before it is charged. */
  const unit = (full: UnitPrice): number => wireUnitPrice(netPrice(full, taken, 1n));
  return {
    taxIncluded: included,
    tax: { kind, rate: rate / 100, included, home_rate: homeRate / 100 },
    price,
    pricings: ({ year, month, hour }: Pricings) => ({
      year: price(year),
      month: price(month),
      hour: unit(hour),
    }),
    unitPricings: ({ year, month, hour }: UnitPricings) => ({
      year: unit(year),
      month: unit(month),
      hour: unit(hour),
    }),
  };
}
