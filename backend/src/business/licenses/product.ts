import type { ProductDefinition } from '../selling/subscriptions/product.ts';
import { licenseLines } from './term.ts';

export const licenseProduct: ProductDefinition = {
  product: 'license',
  title: 'License',
  renewals: (_db, services) =>
    new Map(
      services.map(({ id, item, duration_unit: unit }) => [
        id,
        (catalog, duration) => licenseLines(item, duration, unit, { renewal: true })(catalog),
      ]),
    ),
};
