import type { ProductDefinition } from '../selling/subscriptions/product.ts';
import { webspaceLines } from './price.ts';
import { convergeWebspace, domainLeaves } from './webspace-jobs.ts';

export const webspaceProduct: ProductDefinition = {
  product: 'webspace',
  title: 'Webspace',
  converge: convergeWebspace,
  domainLeft: domainLeaves,
  renewals: (_db, services) =>
    new Map(
      services.map(({ id, item, duration_unit: unit }) => [
        id,
        (catalog, duration) => webspaceLines(item, { duration, unit, renewal: true })(catalog),
      ]),
    ),
};
