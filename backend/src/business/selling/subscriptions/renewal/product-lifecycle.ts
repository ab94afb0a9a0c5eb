import type { ProductLife } from '../../../core/catalog/schema/life.ts';
import type { CatalogVersion } from '../../../core/catalog/versions.ts';
import { domainLife } from '../../../domains/renewal/lifecycle.ts';
import type { Product } from '../service.ts';

/** What happens around the end of a service's term. */
export interface ServiceLife extends ProductLife {
  /** It is deleted so many days after the end of its term at the latest, before it if negative; left out: whenever. */
  readonly delete_by_days?: number;
}

/** What its product's life is, and for a domain what its registry makes of it. */
export function lifeOf(
  { content, tlds }: CatalogVersion,
  service: { readonly product: Product; readonly item: string },
): ServiceLife {
  const life = content.life[service.product];
  const tld = service.product === 'domain' ? tlds.get(service.item) : undefined;
  return tld === undefined ? life : domainLife(life, tld);
}
