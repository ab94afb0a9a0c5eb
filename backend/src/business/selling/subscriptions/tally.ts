import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Product } from '../../core/catalog/schema/product.ts';
import type { ServiceState } from './service.ts';

/** How many services of a product are in a state. */
export interface Tally {
  readonly product: Product;
  readonly state: ServiceState;
  readonly count: number;
}

const load = statement<Tally>(
  'tally_services',
  `SELECT product, state, count(*)::int AS count FROM services WHERE account_id = $1
   GROUP BY product, state ORDER BY product, state`,
);

/** An account's services, the ended ones too. */
export function tallyOf(db: Executor, accountId: string): Promise<Tally[]> {
  return db.run(load, [accountId]);
}
