import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { CUSTOM } from '../server.ts';

const GIB = 1024 ** 3;

/** What a server may use in a billing period, both directions together, and what becomes of it beyond. */
export interface Allowance {
  /** Bytes; null: without limit. */
  readonly included: number | null;
  /** Mbit/s that its uplink is throttled to; null: it is not. */
  readonly throttle: number | null;
}

/** What the catalogue says today: by the package, or, of a customer's own configuration, by the host. */
export function allowanceOf(
  catalog: CatalogVersion,
  server: { readonly item: string; readonly host: string },
): Allowance {
  const host = catalog.hosts.get(server.host);
  const gib =
    server.item === CUSTOM ? host?.traffic.included : catalog.serverPackages.get(server.item)?.traffic;
  return {
    included: gib === undefined || gib === null ? null : gib * GIB,
    throttle: host?.traffic.throttle ?? null,
  };
}
