import { statement } from '../../../../db/statement.ts';
import type { Transaction } from '../../../../db/transaction.ts';

/** What a service is renewed at that nobody gave a place: after those that have one, the soonest end first. */
const UNORDERED = 1000;

const countOwn = statement<{ count: number }>(
  'count_own_services',
  `SELECT count(*)::int AS count FROM services
   WHERE account_id = $1 AND id = ANY($2::uuid[]) AND ended_at IS NULL AND ($3::uuid[] IS NULL OR id = ANY($3::uuid[]))`,
);
const setOrder = statement<object>(
  'set_renewal_order',
  `UPDATE services s SET renew_priority = n.priority
   FROM (SELECT o.id, coalesce(array_position($2::uuid[], o.id), ${UNORDERED}) AS priority FROM services o
         WHERE o.account_id = $1 AND o.ended_at IS NULL AND ($3::uuid[] IS NULL OR o.id = ANY($3::uuid[]))) n
   WHERE s.id = n.id AND s.renew_priority <> n.priority`,
);

/**
 * Renews these services of a locked account in this order, before all others, when its money does not reach for
 * all. `only` limits it to what a token may touch; null: to nothing. False, and nothing done, when one of them is
 * not the account's, has ended, or lies beyond that limit.
 */
export async function orderRenewals(
  tx: Transaction,
  accountId: string,
  serviceIds: readonly string[],
  only: readonly string[] | null,
): Promise<boolean> {
  const [own] = await tx.run(countOwn, [accountId, serviceIds, only]);
  if (own?.count !== serviceIds.length) return false;
  await tx.run(setOrder, [accountId, serviceIds, only]);
  return true;
}
