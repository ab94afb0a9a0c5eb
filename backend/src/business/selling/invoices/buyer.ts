import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Locale } from '../../../operation.ts';
import { customerNumber } from '../../core/accounts/customer.ts';

/** Whom an invoice is for, as they were when they ordered. Without an address then, name and e-mail alone. */
export interface Buyer {
  readonly customer_number: string;
  readonly company: string | null;
  /** First and last name. */
  readonly name: string;
  readonly email: string;
  /** Street and number, then what else the address has. */
  readonly street: readonly string[];
  readonly zip: string;
  readonly city: string;
  readonly region: string | null;
  /** ISO 3166-1; empty while no address was given. */
  readonly country: string;
  readonly vat_id: string | null;
}

interface BuyerRow {
  id: string;
  number: bigint;
  version: number;
  owner_first_name: string;
  owner_last_name: string;
  owner_email: string;
  locale: Locale;
  first_name: string | null;
  last_name: string | null;
  company: string | null;
  email: string | null;
  street: string | null;
  house_number: string | null;
  address_addition: string | null;
  zip: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
  vat_id: string | null;
}

const loadBuyers = statement<BuyerRow>(
  'load_buyers',
  `SELECT a.id, a.number, k.version, u.first_name AS owner_first_name, u.last_name AS owner_last_name,
     u.email AS owner_email, u.locale, b.first_name, b.last_name, b.company, b.email, b.street, b.house_number,
     b.address_addition, b.zip, b.city, b.region, b.country, b.vat_id
   FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::integer[])) k(id, version)
   JOIN accounts a ON a.id = k.id
   JOIN LATERAL (SELECT email, first_name, last_name, locale FROM users
     WHERE account_id = a.id AND role = 'owner' ORDER BY created_at LIMIT 1) u ON true
   LEFT JOIN billing_address_versions h ON h.account_id = a.id AND h.version = k.version
   LEFT JOIN LATERAL jsonb_to_record(h.address) b(first_name text, last_name text, company text, email text,
     street text, house_number text, address_addition text, zip text, city text, region text, country text,
     vat_id text) ON true`,
);

/** A customer by one of the addresses that they have had. */
export interface BuyerKey {
  readonly account_id: string;
  readonly address_version: number;
}

/** The buyers behind orders, and the language that their invoices are in. */
export async function buyersOf(
  db: Executor,
  orders: readonly BuyerKey[],
): Promise<(order: BuyerKey) => { readonly buyer: Buyer; readonly locale: Locale }> {
  const keys = [orders.map((order) => order.account_id), orders.map((order) => order.address_version)];
  const rows = await db.run(loadBuyers, keys);
  const buyers = new Map(
    rows.map((row) => [`${row.id} ${row.version}`, { buyer: buyerOf(row), locale: row.locale }]),
  );
  return ({ account_id, address_version }) => {
    const found = buyers.get(`${account_id} ${address_version}`);
    if (found === undefined) throw new Error(`account ${account_id} has no owner`);
    return found;
  };
}

function buyerOf(row: BuyerRow): Buyer {
  const street = [`${row.street ?? ''} ${row.house_number ?? ''}`.trim(), row.address_addition ?? ''];
  return {
    customer_number: customerNumber(row.number),
    company: row.company,
    name: `${row.first_name ?? row.owner_first_name} ${row.last_name ?? row.owner_last_name}`.trim(),
    email: row.email ?? row.owner_email,
    street: street.filter((line) => line !== ''),
    zip: row.zip ?? '',
    city: row.city ?? '',
    region: row.region,
    country: row.country ?? '',
    vat_id: row.vat_id,
  };
}
