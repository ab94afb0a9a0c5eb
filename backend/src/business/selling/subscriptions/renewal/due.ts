import type { Instant } from '../../../../base/time.ts';
import type { Executor } from '../../../../db/pool.ts';
import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';
import type { Product } from '../../../core/catalog/schema/product.ts';
import { allProducts } from '../product.ts';
import { ENDS } from '../service.ts';
import type { Renewable } from './renew.ts';

/** A service that something happens to by itself now, with its row locked. */
export interface DueService extends Renewable {
  readonly product: Product;
  readonly name: string;
  readonly custom_name: string | null;
  readonly announced_version: number | null;
  readonly term_gross: bigint | null;
  readonly delete_at: Instant | null;
  readonly ends: boolean;
  /** The days of the notices that were given of this end. */
  readonly noticed: readonly number[];
  /** Whether a renewal is paid for already, and its back end is yet to do it. */
  readonly renewing: boolean;
  /** Whether it is to be renewed while its price is being changed, by a {@link ProductDefinition.repricing} task. */
  readonly resizing: boolean;
  /** What else the customer was told of this end: why it could not be renewed. */
  readonly told: readonly string[];
}

export interface DueAccount {
  readonly account_id: string;
  readonly services: number;
}

const MOST_ACCOUNTS = 100_000;

const accountsWithDue = statement<DueAccount>(
  'accounts_with_due_services',
  `SELECT account_id, count(*)::int AS services FROM services WHERE due_at <= $1
   GROUP BY account_id ORDER BY account_id LIMIT ${MOST_ACCOUNTS}`,
);

/**
 * The accounts that have services to look at, and how many. In the order of their ids, which is how the tables that a
 * sweep writes to are indexed: neighbours share pages.
 */
export function dueAccounts(db: Executor, now: Instant): Promise<DueAccount[]> {
  return db.run(accountsWithDue, [now]);
}

const lockDue = statement<DueService>(
  'lock_due_services',
  `SELECT s.id, s.account_id, s.product, s.item, s.name, s.custom_name, s.state, s.auto_renew, s.duration,
     s.duration_unit, s.anchor_day, s.expire_at, s.version, s.announced_version, s.term_gross, s.delete_at,
     s.discount_code, s.discount_percent, s.discount_left,
     ${ENDS} AS ends,
     s.product = 'domain' AND EXISTS (SELECT FROM orders o WHERE o.service_id = s.id AND o.state = 'pending'
       AND NOT EXISTS (SELECT FROM domain_changes c WHERE c.order_id = o.id)) AS renewing,
     s.product = ANY($4::text[]) AND s.auto_renew AND s.state IN ('active', 'suspended') AND NOT (${ENDS})
       AND EXISTS (SELECT FROM tasks t
         WHERE t.resource_id = s.id AND t.type = ANY($5::text[]) AND t.finished_at IS NULL) AS resizing,
     ARRAY(SELECT p.reason FROM suspensions p WHERE p.service_id = s.id ORDER BY p.reason) AS suspensions,
     ARRAY(SELECT substr(n.kind, 10)::int FROM service_notices n
       WHERE n.service_id = s.id AND n.expire_at = s.expire_at AND n.kind LIKE 'expiring:%') AS noticed,
     ARRAY(SELECT n.kind FROM service_notices n
       WHERE n.service_id = s.id AND n.expire_at = s.expire_at AND n.kind NOT LIKE 'expiring:%') AS told
   FROM services s WHERE s.account_id = ANY($1::uuid[]) AND s.due_at <= $2
   ORDER BY s.account_id, s.renew_priority, s.expire_at, s.id LIMIT $3 FOR UPDATE OF s`,
);

/** Locks due services of accounts that the transaction holds, each account's in its own order of priority. */
export function lockDueServices(
  tx: Transaction,
  accountIds: readonly string[],
  now: Instant,
  most: number,
): Promise<DueService[]> {
  const repriced = allProducts().filter(({ repricing }) => repricing !== undefined);
  return tx.run(lockDue, [
    accountIds,
    now,
    most,
    repriced.map(({ product }) => product),
    repriced.map(({ repricing }) => repricing),
  ]);
}
