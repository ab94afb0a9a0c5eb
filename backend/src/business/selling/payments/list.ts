import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { PAYMENT_COLUMNS, type Payment, type PaymentState } from './payment.ts';

export interface PaymentFilter {
  readonly accountId: string;
  readonly state: PaymentState | null;
  readonly method: string | null;
}

const FOUND = `FROM payments p
  WHERE p.account_id = $1 AND ($2::text IS NULL OR p.state = $2) AND ($3::text IS NULL OR p.method = $3)`;

const list = (order: 'asc' | 'desc') =>
  statement<Payment>(
    `list_payments_${order}`,
    `SELECT ${PAYMENT_COLUMNS} ${FOUND} ORDER BY p.created_at ${order}, p.id ${order} LIMIT $4 OFFSET $5`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_payments', `SELECT count(*) AS total ${FOUND}`);

/** An account's payments by when they were begun, and how many there are. */
export async function listPayments(
  db: Executor,
  { accountId, state, method }: PaymentFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly payments: readonly Payment[]; readonly total: number }> {
  const values = [accountId, state, method];
  const [payments, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { payments, total: Number(counted?.total ?? 0n) };
}
