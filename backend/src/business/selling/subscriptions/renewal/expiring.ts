import type { Amount } from '../../../../base/money.ts';
import type { Instant } from '../../../../base/time.ts';
import type { Executor } from '../../../../db/pool.ts';
import { statement } from '../../../../db/statement.ts';
import { type Account, available } from '../../../core/accounts/account.ts';
import { coveredUntil } from '../../../core/accounts/forecast.ts';
import type { CatalogStore, CatalogVersion } from '../../../core/catalog/versions.ts';
import { ENDS } from '../service.ts';
import { furtherTerms, RENEWING, type RenewingRow, renewingServices } from './upcoming.ts';

const MOST = 100;

interface ExpiringRow extends RenewingRow {
  readonly name: string;
  readonly custom_name: string | null;
  readonly auto_renew: boolean;
  readonly ends: boolean;
}

/** A service whose term ends soon, or has ended and could still be renewed. */
export interface Expiring {
  readonly id: string;
  readonly product: RenewingRow['product'];
  readonly name: string;
  readonly expireAt: Instant;
  readonly autoRenew: boolean;
  /** What a further term costs, tax included; null when it will have none, or is not sold any more. */
  readonly price: Amount | null;
  /** Whether the money reaches when its turn comes, or is on hold for it; of one that does not renew itself: now. */
  readonly covered: boolean;
}

const loadExpiring = statement<ExpiringRow>(
  'load_expiring',
  `SELECT ${RENEWING.columns}, s.name, s.custom_name, s.auto_renew, ${ENDS} AS ends FROM ${RENEWING.from}
   WHERE s.account_id = $1 AND s.ended_at IS NULL
     AND s.state IN ('active', 'suspended', 'cancel_scheduled', 'expired')
     AND s.expire_at < $2 AND ($3::uuid[] IS NULL OR s.id = ANY($3))
   ORDER BY s.expire_at, s.id LIMIT ${MOST}`,
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
    furtherTerms(
      db,
      account,
      catalogs,
      current,
      rows.filter(({ ends }) => !ends),
      now,
    ),
    renewingServices(db, account, catalogs, current, now),
  ]);
  const covered = coveredUntil(end, available(account), renewing);
  const prices = new Map(terms.map((term) => [term.id, term.price]));
  const renews = new Set(renewing.map((service) => service.id));
  return rows.map((row) => {
    const price = prices.get(row.id) ?? null;
    const affordable = price !== null && price <= available(account);
    const reached = renews.has(row.id) ? covered.has(row.id) : affordable;
    return {
      id: row.id,
      product: row.product,
      name: row.custom_name ?? row.name,
      expireAt: row.expire_at,
      autoRenew: row.auto_renew,
      price,
      covered: row.held_until !== null || reached,
    };
  });
}
