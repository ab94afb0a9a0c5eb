import type { Instant, TermUnit } from '../../../../base/time.ts';
import type { Executor } from '../../../../db/pool.ts';
import type { CatalogStore, CatalogVersion } from '../../../core/catalog/versions.ts';
import { renewalYears } from '../../../domains/renewal/renewable.ts';
import { domainRenewals } from '../../../domains/renewal/renewal.ts';
import { licenseLines } from '../../../licenses/term.ts';
import { serverLines } from '../../../servers/price.ts';
import { pricedServer, server } from '../../../servers/server.ts';
import { webspaceLines } from '../../../webspaces/price.ts';
import { cheapestPrice, type Price, type PriceLine, taxationOf } from '../../orders/price.ts';
import { type StandingColumns, standingFrom } from '../../orders/recurring-discount.ts';

/** What the price of a further term depends on. */
export interface RenewalSubject {
  readonly id: string;
  readonly account_id: string;
  readonly product: string;
  readonly item: string;
  /** Of its last term; see {@link furtherDuration}. */
  readonly duration: number;
  readonly duration_unit: TermUnit;
}

/** The lines of a service's further term of some length, by a version of the catalogue; null when it does not sell it. */
export type RenewalLines = (catalog: CatalogVersion, duration: number) => readonly PriceLine[] | null;

/** The versions of the catalogue that a renewal goes by: today's, and the one whose price was announced. */
export interface RenewalCatalogs {
  readonly current: CatalogVersion;
  readonly announced: CatalogVersion | undefined;
}

/**
 * How long a service's further term is, in its unit: as its last one. Of a domain, what of that can be bought by the
 * catalogue that holds then; by the announced one only where its TLD is not in that any more.
 */
export function furtherDuration(
  { product, item, duration }: Pick<RenewalSubject, 'product' | 'item' | 'duration'>,
  { current, announced }: RenewalCatalogs,
): number {
  const tld = product === 'domain' ? (current.tlds.get(item) ?? announced?.tlds.get(item)) : undefined;
  return tld === undefined ? duration : renewalYears(tld, duration);
}

const notSold: RenewalLines = () => null;

/** For many services at once, what a further term of each consists of. The one place that asks which product it is. */
export async function renewalLines(
  db: Executor,
  services: readonly RenewalSubject[],
): Promise<ReadonlyMap<string, RenewalLines>> {
  const [servers, domains] = await Promise.all([
    serverRenewals(
      db,
      services.filter(({ product }) => product === 'server'),
    ),
    domainRenewals(
      db,
      services.filter(({ product }) => product === 'domain'),
    ),
  ]);
  const stored = new Map([...servers, ...domains]);
  return new Map(services.map((service) => [service.id, linesOf(service, stored)]));
}

function linesOf(service: RenewalSubject, stored: ReadonlyMap<string, RenewalLines>): RenewalLines {
  const { item, duration_unit: unit } = service;
  const renewal = true;
  if (service.product === 'license')
    return (catalog, duration) => licenseLines(item, duration, unit, { renewal })(catalog);
  if (service.product === 'webspace')
    return (catalog, duration) => webspaceLines(item, { duration, unit, renewal })(catalog);
  return stored.get(service.id) ?? notSold;
}

async function serverRenewals(
  db: Executor,
  services: readonly RenewalSubject[],
): Promise<ReadonlyMap<string, RenewalLines>> {
  if (services.length === 0) return new Map();
  const keys = services.map(({ account_id, id }) => ({ accountId: account_id, uuid: id }));
  const found = (await server.load(db, keys)).flatMap((one) => one ?? []);
  return new Map(
    found.map((one) => {
      const priced = pricedServer(one);
      const term = { unit: one.duration_unit, renewal: true };
      return [one.id, (catalog, duration) => serverLines(priced, { ...term, duration })(catalog)];
    }),
  );
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
  service: StandingColumns & Pick<RenewalSubject, 'product' | 'item' | 'duration'>,
  lines: RenewalLines | undefined,
  catalogs: RenewalCatalogs,
  customer: Parameters<typeof taxationOf>[1],
  term: { readonly now: Instant; readonly from: Instant; readonly to: Instant },
): Price | null {
  const duration = furtherDuration(service, catalogs);
  const linesOf = (catalog: CatalogVersion) => (lines ?? notSold)(catalog, duration);
  return cheapestPrice([catalogs.current, catalogs.announced ?? catalogs.current], linesOf, {
    taxation: taxationOf(catalogs.current, customer, term.now),
    discount: standingFrom(service)?.percent ?? 0,
    periodFrom: term.from,
    periodTo: term.to,
  });
}
