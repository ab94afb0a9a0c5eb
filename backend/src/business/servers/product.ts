import type { ProductDefinition } from '../selling/subscriptions/product.ts';
import { convergeServer } from './machine/convergence.ts';
import { serverLines } from './price.ts';
import { RESIZE } from './resize.ts';
import { pricedServer, server } from './server.ts';

export const serverProduct: ProductDefinition = {
  product: 'server',
  title: 'Server',
  converge: convergeServer,
  repricing: RESIZE,
  async renewals(db, services) {
    const keys = services.map(({ account_id, id }) => ({ accountId: account_id, uuid: id }));
    const found = (await server.load(db, keys)).flatMap((one) => one ?? []);
    return new Map(
      found.map((one) => {
        const priced = pricedServer(one);
        const term = { unit: one.duration_unit, renewal: true };
        return [one.id, (catalog, duration) => serverLines(priced, { ...term, duration })(catalog)];
      }),
    );
  },
};
