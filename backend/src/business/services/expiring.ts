import type { Amount } from '../../base/money.ts';
import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { type Account, available } from '../accounts/account.ts';
import { coveredUntil } from '../accounts/forecast.ts';
import type { CatalogStore, CatalogVersion } from '../catalog/versions.ts';
import { furtherTerms, RENEWING_COLUMNS, type RenewingRow, renewingServices } from './renewing.ts';

const MOST = 100;

interface ExpiringRow extends RenewingRow {
  readonly name: string;
  readonly custom_name: string | null;
  readonly auto_renew: boolean;
}

/** A service whose term ends soon, or has ended and could still be renewed. */
export interface Expiring {
  readonly id: string;
  readonly product: RenewingRow['product'];
  readonly name: string;
  readonly expireAt: Instant;
  readonly autoRenew: boolean;
  /** What a further term costs, tax included; null when it is not sold any more. */
  readonly price: Amount | null;
  /** Whether the money reaches when its turn comes; of one that does not renew itself: now. */
  readonly covered: boolean;
}

const loadExpiring = statement<ExpiringRow>(
  'load_expiring',
  `SELECT ${RENEWING_COLUMNS}, name, custom_name, auto_renew FROM services
   WHERE account_id = $1 AND ended_at IS NULL AND state IN ('active', 'suspended', 'cancel_scheduled', 'expired')
     AND expire_at < $2 AND ($3::uuid[] IS NULL OR id = ANY($3))
   ORDER BY expire_at, id LIMIT ${MOST}`,
);

/** The first hundred services whose terms end before `end`, the soonest first. `only`: those a token may see. */
export async function expiringServices(
  db: Executor,
  account: Account,
  catalogs: CatalogStore,
  current: CatalogVersion,
  {
    now,
    end,
    only,
  }: { readonly now: Instant; readonly end: Instant; readonly only: readonly string[] | null },
): Promise<Expiring[]> {
  const rows = await db.run(loadExpiring, [account.id, end, only]);
  if (rows.length === 0) return [];
  // Money for one that ends soon may have gone to any other by then, so all that renew are looked at.
  const [terms, renewing] = await Promise.all([
    furtherTerms(db, account, catalogs, current, rows, now),
    renewingServices(db, account, catalogs, current, now),
  ]);
  const covered = coveredUntil(end, available(account), renewing);
  const prices = new Map(terms.map((term) => [term.id, term.price]));
  const renews = new Set(renewing.map((service) => service.id));
  return rows.map((row) => {
    const price = prices.get(row.id) ?? null;
    const affordable = price !== null && price <= available(account);
    return {
      id: row.id,
      product: row.product,
      name: row.custom_name ?? row.name,
      expireAt: row.expire_at,
      autoRenew: row.auto_renew,
      price,
      covered: renews.has(row.id) ? covered.has(row.id) : affordable,
    };
  });
}
