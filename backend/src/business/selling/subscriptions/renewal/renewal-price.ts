import type { Instant } from '../../../../base/time.ts';
import type { Executor } from '../../../../db/pool.ts';
import type { Product } from '../../../core/catalog/schema/product.ts';
import type { CatalogStore, CatalogVersion } from '../../../core/catalog/versions.ts';
import { taxationOf } from '../../../core/tax/taxation.ts';
import { cheapestPrice, type Price } from '../../orders/price.ts';
import { type RecurringDiscountColumns, recurringDiscountFrom } from '../../orders/recurring-discount.ts';
import { productOf, type RenewalLines, type RenewedService } from '../product.ts';

/** What the price of a further term depends on. */
export interface RenewalSubject extends RenewedService {
  readonly product: Product;
  /** Of its last term; see {@link furtherDuration}. */
  readonly duration: number;
}

/** The versions of the catalogue that a renewal goes by: today's, and the one whose price was announced. */
export interface RenewalCatalogs {
  readonly current: CatalogVersion;
  readonly announced: CatalogVersion | undefined;
}

/**
 * How long a service's further term is, in its unit: as its last one, or what of that can be bought by the catalogue that
 * holds then; by the announced one only where the item is not in that any more.
 */
export function furtherDuration(
  { product, item, duration }: Pick<RenewalSubject, 'product' | 'item' | 'duration'>,
  { current, announced }: RenewalCatalogs,
): number {
  const { furtherDuration: further } = productOf(product);
  if (further === undefined) return duration;
  const then = announced === undefined ? null : further(announced, item, duration);
  return further(current, item, duration) ?? then ?? duration;
}

const notSold: RenewalLines = () => null;

/** For many services at once, what a further term of each consists of. */
export async function renewalLines(
  db: Executor,
  services: readonly RenewalSubject[],
): Promise<ReadonlyMap<string, RenewalLines>> {
  const lines = await Promise.all(
    [...Map.groupBy(services, ({ product }) => product)].map(([product, those]) =>
      productOf(product).renewals(db, those),
    ),
  );
  return new Map(lines.flatMap((of) => [...of]));
}

/** The versions of the catalogue whose prices were announced for renewals, by their numbers. */
export async function announcedVersions(
  db: Executor,
  catalogs: CatalogStore,
  services: readonly { readonly announced_version: number | null }[],
): Promise<ReadonlyMap<number, CatalogVersion>> {
  const versions = new Map<number, CatalogVersion>();
  for (const version of new Set(services.flatMap((service) => service.announced_version ?? []))) {
    versions.set(version, await catalogs.version(db, version));
  }
  return versions;
}

/** What a service renews at: today's price or the announced one, whichever is lower, less its standing discount. */
export function renewalPrice(
  service: RecurringDiscountColumns & Pick<RenewalSubject, 'product' | 'item' | 'duration'>,
  lines: RenewalLines | undefined,
  catalogs: RenewalCatalogs,
  customer: Parameters<typeof taxationOf>[1],
  term: { readonly now: Instant; readonly from: Instant; readonly to: Instant },
): Price | null {
  const duration = furtherDuration(service, catalogs);
  const linesOf = (catalog: CatalogVersion) => (lines ?? notSold)(catalog, duration);
  return cheapestPrice([catalogs.current, catalogs.announced ?? catalogs.current], linesOf, {
    taxation: taxationOf(catalogs.current, customer, term.now),
    discount: recurringDiscountFrom(service)?.percent ?? 0,
    periodFrom: term.from,
    periodTo: term.to,
  });
}
