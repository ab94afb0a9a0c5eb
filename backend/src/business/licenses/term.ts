import type { TermUnit } from '../../base/time.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import type { PriceLine } from '../selling/orders/price.ts';

/** The price lines of a license's term; null when the package is not sold, or not for that term. */
export function licenseLines(
  packageUuid: string,
  duration: number,
  unit: TermUnit,
  { renewal }: { renewal: boolean },
): (catalog: CatalogVersion) => readonly PriceLine[] | null {
  return (catalog) => {
    const pack = catalog.licensePackages.get(packageUuid);
    if (pack === undefined || (!pack.sold && !renewal)) return null;
    if (!pack.durations.some((term) => term.duration === duration && term.duration_unit === unit))
      return null;
    return [{ description: `${pack.name} (${unit})`, quantity: duration, unitPrice: pack.pricings[unit] }];
  };
}
