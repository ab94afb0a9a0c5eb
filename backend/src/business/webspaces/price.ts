import type { TermUnit } from '../../base/time.ts';
import type { Pricings } from '../core/catalog/schema/price.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import type { PriceLine } from '../selling/orders/price.ts';

export interface WebspaceTerm {
  readonly duration: number;
  readonly unit: TermUnit;
  /** Renewals pay no set-up, and go on at the catalogue's price also when it sells no more of them. */
  readonly renewal: boolean;
}

/** The lines of a webspace's term; null when the package is not sold, or not for that term. */
export function webspaceLines(
  packageUuid: string,
  { duration, unit, renewal }: WebspaceTerm,
): (catalog: CatalogVersion) => readonly PriceLine[] | null {
  return (catalog) => {
    const pack = catalog.webspacePackages.get(packageUuid);
    if (pack === undefined || (!pack.sold && !renewal)) return null;
    const offered = pack.durations.some((term) => term.duration === duration && term.duration_unit === unit);
    if (!offered) return null;
    const lines: PriceLine[] = [
      { description: `${pack.name} (${unit})`, quantity: duration, unitPrice: pack.pricings[unit] },
    ];
    if (!renewal && pack.setup > 0n)
      lines.push({ description: 'Set-up', quantity: 1, unitPrice: pack.setup });
    return lines;
  };
}

/** What a package costs; zeros when the catalogue has forgotten it. */
export function webspacePricings(catalog: CatalogVersion, packageUuid: string): Pricings {
  return catalog.webspacePackages.get(packageUuid)?.pricings ?? { year: 0n, month: 0n, hour: 0n };
}
