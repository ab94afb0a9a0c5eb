import { z } from 'zod';
import { timestamp } from '../../api/field.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import type { StoredBinding } from '../../business/licenses/license.ts';

export const binding = z.object({
  id: z.int(),
  ip_address: z.string(),
  description: z.string(),
  created_at: timestamp,
});

export const bindings = z.object({ ip_bindings: z.array(binding), ip_bindings_count: z.int() });

export function wireBinding(stored: StoredBinding) {
  return {
    id: stored.id,
    ip_address: stored.ip_address,
    description: stored.description,
    created_at: stored.created_at,
  };
}

/**
 * A license's package as the newest catalogue describes it. An import cannot drop a package that is in use; what it
 * has forgotten since the license ended is empty, and 0.
 */
export function wirePackage(catalog: CatalogVersion, packageUuid: string) {
  const pack = catalog.licensePackages.get(packageUuid);
  return {
    package: {
      id: pack?.id ?? 0,
      uuid: packageUuid,
      name: pack?.name ?? '',
      description: pack?.description ?? '',
      ip_limit: pack?.ip_limit ?? 0,
      info: { features: pack?.features ?? [] },
    },
    pricings: pack?.pricings ?? { year: 0n, month: 0n, hour: 0n },
  };
}
