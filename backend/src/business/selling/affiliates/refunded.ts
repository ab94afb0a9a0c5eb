import type { Amount } from '../../../base/money.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { commissionLeft } from './commission.ts';

const AT_ONCE = 1_000;

const outdated = statement<{
  id: string;
  state: 'pending' | 'confirmed';
  amount: Amount;
  order_total: Amount;
  left: Amount;
}>(
  'outdated_commissions',
  `SELECT c.id, c.state, c.amount, c.order_total, o.net - r.net AS left
   FROM commissions c JOIN orders o ON o.id = c.order_id
   CROSS JOIN LATERAL (SELECT sum(gross - tax)::bigint AS net FROM refunds WHERE order_id = c.order_id) r
   WHERE c.state IN ('pending', 'confirmed') AND o.net - r.net <> c.order_total ORDER BY c.id LIMIT ${AT_ONCE}`,
);
// Only what is still as it was read: another worker may have been quicker.
const follow = statement<object>(
  'follow_refunds',
  `UPDATE commissions c SET state = n.state, amount = n.amount, order_total = n.order_total
   FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) n(id, was, state, amount, order_total)
   WHERE c.id = n.id AND c.state IN ('pending', 'confirmed') AND c.order_total = n.was`,
);

/**
 * Lowers commissions that are not paid to what is left of their orders after refunds, and cancels those of which
 * nothing is left; a cancelled one keeps its amounts, which tell what it would have been. What is paid stays: the hold
 * days are there so that refunds come before.
 */
export async function followRefunds(pool: Pool): Promise<void> {
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await pool.run(outdated, []);
    found = rows.length;
    if (found === 0) return;
    const now = rows.map((row) => {
      const amount = commissionLeft(row, row.left);
      return amount === 0n
        ? { state: 'cancelled', amount: row.amount, order_total: row.order_total }
        : { state: row.state, amount, order_total: row.left };
    });
    await pool.run(follow, [
      rows.map((row) => row.id),
      rows.map((row) => row.order_total),
      now.map((commission) => commission.state),
      now.map((commission) => commission.amount),
      now.map((commission) => commission.order_total),
    ]);
  }
}
