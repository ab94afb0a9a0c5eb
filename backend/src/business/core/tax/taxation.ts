import type { Instant } from '../../../base/time.ts';
import type { CatalogVersion } from '../catalog/versions.ts';
import { type TaxTreatment, taxTreatment } from './treatment.ts';

/** How a sale to this customer is taxed now, by the seller that a version of the catalogue names. */
export function taxationOf(
  { content }: CatalogVersion,
  customer: { readonly taxCountry: string; readonly taxBusiness: boolean },
  now: Instant,
): TaxTreatment {
  const seller = {
    homeRate: content.tax_rate,
    homeCountry: content.seller?.country ?? null,
    scheme: content.tax.scheme,
    oneStopShop: content.tax.one_stop_shop,
  };
  return taxTreatment(seller, { country: customer.taxCountry, business: customer.taxBusiness }, now);
}
