import type { Instant, TermUnit } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Renewing } from '../accounts/forecast.ts';
import type { CatalogStore, CatalogVersion } from '../catalog/versions.ts';
import type { StandingColumns } from '../orders/standing-discount.ts';
import { nextTerm } from './renew.ts';
import { announcedVersions, renewalLines, renewalPrice } from './renewal-price.ts';
import { ENDS, type Product, type ServiceState } from './service.ts';

/** A service, with what its further term depends on. */
export interface RenewingRow extends StandingColumns {
  readonly id: string;
  readonly account_id: string;
  readonly product: Product;
  readonly item: string;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly state: ServiceState;
  readonly announced_version: number | null;
}

interface PayingAccount {
  readonly id: string;
  readonly tax_country: string;
  readonly tax_business: boolean;
}

const MOST = 10_000;

export const RENEWING_COLUMNS = `id, account_id, product, item, duration, duration_unit, anchor_day, expire_at, state,
  announced_version, discount_code, discount_percent, discount_left`;

const loadRenewing = statement<RenewingRow>(
  'load_renewing',
  `SELECT ${RENEWING_COLUMNS} FROM services WHERE account_id = $1 AND auto_renew AND ended_at IS NULL AND state IN ('active', 'suspended')
   ORDER BY expire_at, id LIMIT ${MOST}`,
);

/** The services of an account that renew themselves, the soonest first; at most 10,000. */
export async function renewingServices(
  db: Executor,
  account: PayingAccount,
  catalogs: CatalogStore,
  current: CatalogVersion,
  now: Instant,
): Promise<Renewing[]> {
  return await furtherTerms(db, account, catalogs, current, await db.run(loadRenewing, [account.id]), now);
}

/**
 * What a further term of each of these services of an account costs: today's price, or the announced one where that
 * is lower. What is not sold for its term any more, or not at all, is left out: it cannot renew.
 */
export async function furtherTerms(
  db: Executor,
  account: PayingAccount,
  catalogs: CatalogStore,
  current: CatalogVersion,
  rows: readonly RenewingRow[],
  now: Instant,
): Promise<Renewing[]> {
  const customer = { taxCountry: account.tax_country, taxBusiness: account.tax_business };
  return (await pricedTerms(db, catalogs, current, rows, () => customer, now)).map(({ term }) => term);
}

interface Taxed {
  readonly taxCountry: string;
  readonly taxBusiness: boolean;
}

/** {@link furtherTerms} of services of several accounts at once. */
async function pricedTerms(
  db: Executor,
  catalogs: CatalogStore,
  current: CatalogVersion,
  rows: readonly RenewingRow[],
  customerOf: (accountId: string) => Taxed,
  now: Instant,
): Promise<{ readonly accountId: string; readonly term: Renewing }[]> {
  const lines = await renewalLines(db, rows);
  const announced = await announcedVersions(db, catalogs, rows);
  return rows.flatMap((row) => {
    const { from, anchorDay } = nextTerm(row.product, row, now);
    const versions = { current, announced: announced.get(row.announced_version ?? 0) };
    const customer = customerOf(row.account_id);
    const price = renewalPrice(row, lines.get(row.id), versions, customer, { now, from, to: from });
    if (price === null) return [];
    const { id, product, duration, duration_unit: unit } = row;
    const term = { id, product, duration, unit, anchorDay, termFrom: from, price: price.gross };
    return [{ accountId: row.account_id, term }];
  });
}

const loadUpcoming = statement<RenewingRow>(
  'load_upcoming_renewals',
  `SELECT ${RENEWING_COLUMNS} FROM services s
   WHERE account_id = ANY($1::uuid[]) AND auto_renew AND ended_at IS NULL AND state IN ('active', 'suspended')
     AND delete_at IS NULL AND expire_at < $2 AND NOT (${ENDS})`,
);

/** By account, the services that are on and renew themselves before `end`. What is off was told to be. */
export async function upcomingRenewals(
  db: Executor,
  accounts: ReadonlyMap<string, Taxed>,
  catalogs: CatalogStore,
  current: CatalogVersion,
  { now, end }: { readonly now: Instant; readonly end: Instant },
): Promise<ReadonlyMap<string, readonly Renewing[]>> {
  const rows = await db.run(loadUpcoming, [[...accounts.keys()], end]);
  const customerOf = (accountId: string) => {
    const account = accounts.get(accountId);
    if (account === undefined) throw new Error(`nobody asked for account ${accountId}`);
    return account;
  };
  const priced = await pricedTerms(db, catalogs, current, rows, customerOf, now);
  const byAccount = new Map<string, Renewing[]>();
  for (const { accountId, term } of priced) {
    const terms = byAccount.get(accountId);
    if (terms === undefined) byAccount.set(accountId, [term]);
    else terms.push(term);
  }
  return byAccount;
}
