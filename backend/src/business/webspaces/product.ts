import type { ProductDefinition } from '../selling/subscriptions/product.ts';
import { webspaceLines } from './price.ts';
import { domainLeaves, enforceWebspace } from './webspace-jobs.ts';

export const webspaceProduct: ProductDefinition = {
  product: 'webspace',
  title: 'Webspace',
  converge: enforceWebspace,
  domainLeft: domainLeaves,
  renewals: (_db, services) =>
    new Map(
      services.map(({ id, item, duration_unit: unit }) => [
        id,
        (catalog, duration) => webspaceLines(item, { duration, unit, renewal: true })(catalog),
      ]),
    ),
};
