import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Account } from './account.ts';

/** A customer as operators list them: the account and its owner. */
export interface ListedCustomer extends Omit<Account, 'ledger_seq'> {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  /** How many services it has that have not ended. */
  readonly services: number;
}

export interface CustomerFilter {
  readonly state: Account['state'] | null;
  /** A uuid or a customer number names one account; any other text is looked for in addresses and names. */
  readonly search: string | null;
}

const OWNER = `JOIN LATERAL (SELECT email, first_name, last_name FROM users
  WHERE account_id = a.id AND role = 'owner' ORDER BY created_at LIMIT 1) u ON true`;
const FOUND = `FROM accounts a ${OWNER}
  WHERE ($1::text IS NULL OR a.state = $1)
    AND ($2::text IS NULL OR u.email ILIKE $2 OR u.first_name || ' ' || u.last_name ILIKE $2 OR a.number = $3 OR a.id = $4)`;

const list = (order: 'asc' | 'desc') =>
  statement<ListedCustomer>(
    `list_customers_${order}`,
    `SELECT a.id, a.number, a.state, a.currency, a.balance, a.reserved, a.credit_limit, a.ledger_at, a.created_at,
       u.email, u.first_name, u.last_name,
       (SELECT count(*)::int FROM services s WHERE s.account_id = a.id AND s.ended_at IS NULL) AS services
     ${FOUND} ORDER BY a.number ${order} LIMIT $5 OFFSET $6`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const countAll = statement<{ total: bigint }>(
  'count_accounts',
  'SELECT count(*) AS total FROM accounts WHERE $1::text IS NULL OR state = $1',
);
const countFound = statement<{ total: bigint }>('count_customers', `SELECT count(*) AS total ${FOUND}`);

/** Customers by their number, which is the order that they came in, and how many there are. */
export async function listCustomers(
  db: Executor,
  filter: CustomerFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly customers: readonly ListedCustomer[]; readonly total: number }> {
  const values = [filter.state, ...searchValues(filter.search)];
  const [customers, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    filter.search === null ? db.run(countAll, [filter.state]) : db.run(countFound, values),
  ]);
  return { customers, total: Number(counted?.total ?? 0n) };
}

/** The search as a LIKE pattern that takes it literally, as a customer number, and as a uuid. */
function searchValues(search: string | null): [string | null, bigint | null, string | null] {
  if (search === null) return [null, null, null];
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const number = /^\d{1,15}$/.test(search) ? BigInt(search) : null;
  const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(search) ? search : null;
  return [pattern, number, id];
}
