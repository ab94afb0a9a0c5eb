import type { Executor } from '../../../db/pool.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { ProductLifecycle } from '../../core/catalog/schema/life.ts';
import type { Product } from '../../core/catalog/schema/product.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import type { Order } from '../orders/order.ts';
import type { PriceLine } from '../orders/price.ts';
import type { DueService } from './renewal/due.ts';

/** What happens around the end of a service's term. */
export interface ServiceLifecycle extends ProductLifecycle {
  /** It is deleted so many days after the end of its term at the latest, before it if negative; left out: whenever. */
  readonly delete_by_days?: number;
}

/** A service whose further term is priced. */
export interface RenewedService {
  readonly id: string;
  readonly account_id: string;
  readonly item: string;
  readonly duration_unit: 'hour' | 'month' | 'year';
}

/** The lines of a service's further term of some length, by a version of the catalogue; null when it does not sell it. */
export type RenewalLines = (catalog: CatalogVersion, duration: number) => readonly PriceLine[] | null;

/** What subscriptions need to know of a product: all that differs between products when services renew and end. */
export interface ProductDefinition {
  readonly product: Product;
  /** For the ledger's text. */
  readonly title: string;
  /** Makes the back end follow the desired state of a service, once the unit of work is committed; left out: it has none. */
  converge?(uow: UnitOfWork, serviceId: string): void;
  /** The catalogue's lifecycle, bounded by what the back end of an item does by itself; left out: as the catalogue has it. */
  lifecycle?(life: ProductLifecycle, catalog: CatalogVersion, item: string): ServiceLifecycle;
  /** How long a further term is after one of `duration`; left out: as long. */
  furtherDuration?(catalog: CatalogVersion, item: string, duration: number): number | null;
  /** What a further term of each of these services consists of, by their ids. */
  renewals(
    db: Executor,
    services: readonly RenewedService[],
  ): Promise<ReadonlyMap<string, RenewalLines>> | ReadonlyMap<string, RenewalLines>;
  /** A domain has left its customer: services serve nothing by its names any more. */
  domainLeft?(uow: UnitOfWork, domainId: string): void;
  /** The type of the tasks that change what a further term costs: a service is not renewed while one runs. */
  readonly repricing?: string;
  /** Left out: a further term is there as soon as it is paid. */
  readonly decidedByBackend?: DecidedByBackend;
}

/**
 * What a product does whose further terms, and whose end, are there only once its back end says so: until then the money
 * is on hold.
 */
export interface DecidedByBackend {
  orderRenewal(
    uow: UnitOfWork,
    service: DueService,
    paid: { readonly order: Order; readonly years: number },
  ): void;
  /** Nothing was made for the service: its name is free again. */
  endUnmade(uow: UnitOfWork, serviceId: string): void;
  /** The transfer that brings the service is not wanted any more. */
  cancelTransfer(uow: UnitOfWork, transferId: string): void;
}

const definitions = new Map<Product, ProductDefinition>();

/** Called once, by the index of all products (`business/products.ts`). */
export function defineProducts(products: readonly ProductDefinition[]): void {
  for (const definition of products) definitions.set(definition.product, definition);
}

export function productOf(product: Product): ProductDefinition {
  const definition = definitions.get(product);
  if (definition === undefined)
    throw new Error(`${product} is not defined: business/products.ts is not imported`);
  return definition;
}

export function allProducts(): readonly ProductDefinition[] {
  return [...definitions.values()];
}

export function isDecidedByBackend(product: Product): boolean {
  return productOf(product).decidedByBackend !== undefined;
}

/**
 * Has the back end brought in line with the desired state of a service once this unit of work is committed: switched on
 * or off, or removed for good. Call it wherever a service's state changes between on, off and deleted.
 */
export function converge(uow: UnitOfWork, service: { readonly id: string; readonly product: Product }): void {
  productOf(service.product).converge?.(uow, service.id);
}

/** The lifecycle of a service. */
export function lifecycleOf(
  catalog: CatalogVersion,
  { product, item }: { readonly product: Product; readonly item: string },
): ServiceLifecycle {
  const life = catalog.content.life[product];
  return productOf(product).lifecycle?.(life, catalog, item) ?? life;
}
