import { sql } from 'kysely';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { VatStatus } from '../tax/vat-standing.ts';

/** Whom invoices go to. */
export interface Address {
  readonly salutation: 'mr' | 'ms' | 'mx' | 'none';
  readonly first_name: string;
  readonly last_name: string;
  readonly company: string | null;
  /** As `readVatNumber` gives it. */
  readonly vat_id: string | null;
  readonly street: string;
  readonly house_number: string;
  readonly address_addition: string | null;
  readonly zip: string;
  readonly city: string;
  /** ISO 3166-2. */
  readonly region: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** E.164. */
  readonly phone: string;
  readonly email: string | null;
}

/** An address as it is kept, with what is known of its VAT number. */
export interface StoredAddress extends Address {
  /** Counts the times that it was saved. */
  readonly version: number;
  readonly updated_at: Instant;
  readonly vat_state: VatStatus['state'];
  readonly vat_checked_at: Instant | null;
  readonly vat_name: string | null;
}

const ADDRESS_COLUMNS = `salutation, first_name, last_name, company, vat_id, street, house_number, address_addition, zip,
  city, region, country, phone, email`;

const loadAddress = statement<StoredAddress>(
  'load_address',
  `SELECT ${ADDRESS_COLUMNS}, version, updated_at, vat_state, vat_checked_at, vat_name
   FROM billing_addresses WHERE account_id = $1`,
);

// Nothing happens to a version that is known.
const keepVersion = statement<object>(
  'keep_address_version',
  `WITH kept AS (
     INSERT INTO billing_address_versions (account_id, version, address, vat_state, created_at)
     SELECT b.account_id, b.version, to_jsonb(a), b.vat_state, $2
     FROM billing_addresses b, LATERAL (SELECT ${ADDRESS_COLUMNS}) a
     WHERE b.account_id = $1
     ON CONFLICT DO NOTHING RETURNING account_id, version)
   UPDATE accounts SET address_version = kept.version FROM kept WHERE accounts.id = kept.account_id`,
);

/** The account's address; null while none was given. */
export async function addressOf(db: Executor, accountId: string): Promise<StoredAddress | null> {
  const [row] = await db.run(loadAddress, [accountId]);
  return row ?? null;
}

/** Keeps an address as the given version; the one before is history. The account must be locked. */
export async function storeAddress(
  tx: Transaction,
  accountId: string,
  address: Address,
  kept: { readonly version: number; readonly standing: VatStatus; readonly now: Instant },
): Promise<void> {
  const row = {
    ...address,
    version: kept.version,
    updated_at: kept.now,
    ...recurringDiscountColumns(kept.standing),
  };
  await tx.kysely
    .insertInto('billing_addresses')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  await tx.run(keepVersion, [accountId, kept.now]);
}

/**
 * Keeps what became known of the address's VAT number. When that is another state it is another version: who orders
 * from then on orders as somebody else. The account must be locked.
 */
export async function storeVatStatus(
  tx: Transaction,
  accountId: string,
  standing: VatStatus,
  now: Instant,
): Promise<void> {
  await tx.kysely
    .updateTable('billing_addresses')
    .set(recurringDiscountColumns(standing))
    .set((set) => ({ version: sql<number>`version + (vat_state <> ${set.val(standing.state)})::int` }))
    .where('account_id', '=', accountId)
    .execute();
  await tx.run(keepVersion, [accountId, now]);
}

function recurringDiscountColumns({ state, checkedAt, name }: VatStatus) {
  return { vat_state: state, vat_checked_at: checkedAt, vat_name: name };
}

const REQUIRED = [
  'salutation',
  'first_name',
  'last_name',
  'street',
  'house_number',
  'zip',
  'city',
  'country',
  'phone',
] as const;

/** Where mail does not arrive without the state or province. */
const WITH_REGION: ReadonlySet<string> = new Set(['AU', 'BR', 'CA', 'IN', 'MX', 'US']);

/** What an address lacks to be written on an envelope; all that is required, where there is none. */
export function missingFields(address: Address | null): readonly string[] {
  if (address === null) return REQUIRED;
  return address.region === null && WITH_REGION.has(address.country) ? ['region'] : [];
}
