import type { Instant, TermUnit } from '../../../../base/time.ts';
import type { Executor } from '../../../../db/pool.ts';
import { statement } from '../../../../db/statement.ts';
import type { PriceChange, Renewing } from '../../../core/accounts/forecast.ts';
import type { Product } from '../../../core/catalog/schema/product.ts';
import type { CatalogStore, CatalogVersion } from '../../../core/catalog/versions.ts';
import type { Price } from '../../orders/price.ts';
import { type RecurringDiscountColumns, recurringDiscountFrom } from '../../orders/recurring-discount.ts';
import { ENDS, type ServiceState } from '../service.ts';
import { nextTerm } from './renew.ts';
import {
  announcedVersions,
  furtherDuration,
  type RenewalCatalogs,
  renewalLines,
  renewalPrice,
} from './renewal-price.ts';

/** A service, with what its further term depends on. */
export interface RenewingRow extends RecurringDiscountColumns {
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
  /** The end of the term whose money is on hold, until its back end has renewed it; null: there is none. */
  readonly held_until: Instant | null;
}

interface PayingAccount {
  readonly id: string;
  readonly tax_country: string;
  readonly tax_business: boolean;
}

const MOST = 10_000;

/**
 * SQL: services `s` with what the term depends on that is to be paid for next. Of one whose renewal `o` has its money on
 * hold that is the term after: the hold has made less available already.
 */
export const RENEWING = {
  columns: `s.id, s.account_id, s.product, s.item, coalesce(o.duration, s.duration) AS duration,
     coalesce(o.duration_unit, s.duration_unit) AS duration_unit, s.anchor_day, s.expire_at, o.period_to AS held_until,
     s.state, CASE WHEN o.id IS NULL THEN s.announced_version END AS announced_version,
     CASE WHEN o.id IS NULL THEN s.discount_code ELSE d.discount_code END AS discount_code,
     CASE WHEN o.id IS NULL THEN s.discount_percent ELSE d.discount_percent END AS discount_percent,
     CASE WHEN o.id IS NULL THEN s.discount_left ELSE d.discount_left END AS discount_left`,
  from: `services s LEFT JOIN orders o ON o.service_id = s.id AND o.state = 'pending' AND o.action = 'renew'
     LEFT JOIN domain_orders d ON d.order_id = o.id`,
};

const loadRenewing = statement<RenewingRow>(
  'load_renewing',
  `SELECT ${RENEWING.columns} FROM ${RENEWING.from}
   WHERE s.account_id = $1 AND s.auto_renew AND s.ended_at IS NULL AND s.state IN ('active', 'suspended')
     AND NOT (${ENDS})
   ORDER BY s.expire_at, s.id LIMIT ${MOST}`,
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
    const paidUntil = { ...row, expire_at: row.held_until ?? row.expire_at };
    const { from, anchorDay } = nextTerm(row.product, paidUntil, now);
    const versions = { current, announced: announced.get(row.announced_version ?? 0) };
    const customer = customerOf(row.account_id);
    const priceBy = (catalogsThen: RenewalCatalogs) =>
      renewalPrice(row, lines.get(row.id), catalogsThen, customer, { now, from, to: from });
    const price = priceBy(versions);
    if (price === null) return [];
    const { id, product, duration_unit: unit } = row;
    const duration = furtherDuration(row, versions);
    const after = versions.announced === undefined ? price : priceBy({ current, announced: undefined });
    const changes = priceChanges(price, after, recurringDiscountFrom(row)?.left ?? null);
    const term = { id, product, duration, unit, anchorDay, termFrom: from, price: price.gross, changes };
    return [{ accountId: row.account_id, term }];
  });
}

/**
 * What the terms after the next one cost: an announced price holds for one renewal, a discount for as many as are left
 * of it; `after`: the price without what was announced, null where that is not sold any more.
 */
function priceChanges(next: Price, after: Price | null, discountLeft: number | null): PriceChange[] {
  const { gross, fullGross } = after ?? { gross: 0n, fullGross: 0n };
  const change = gross === next.gross || discountLeft === 1 ? [] : [{ after: 1, price: gross }];
  return discountLeft === null ? change : [...change, { after: discountLeft, price: fullGross }];
}

const loadUpcoming = statement<RenewingRow>(
  'load_upcoming_renewals',
  `SELECT ${RENEWING.columns} FROM ${RENEWING.from}
   WHERE s.account_id = ANY($1::uuid[]) AND s.auto_renew AND s.ended_at IS NULL AND s.state IN ('active', 'suspended')
     AND s.delete_at IS NULL AND s.expire_at < $2 AND NOT (${ENDS})`,
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
