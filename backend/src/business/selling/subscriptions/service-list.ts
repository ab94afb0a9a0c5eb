import { sql } from 'kysely';
import { type Instant, isBefore, type TermUnit } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import type { Account } from '../../core/accounts/account.ts';
import type { Product } from '../../core/catalog/schema/product.ts';
import type { CatalogStore, CatalogVersion } from '../../core/catalog/versions.ts';
import type { Price } from '../orders/price.ts';
import type { RecurringDiscountColumns } from '../orders/recurring-discount.ts';
import { lifecycleOf } from './product.ts';
import { noticeAt, noticeDays } from './renewal/deadlines.ts';
import { nextTerm } from './renewal/renew.ts';
import { announcedVersions, renewalLines, renewalPrice } from './renewal/renewal-price.ts';
import { ENDS, RENEWABLE, type ServiceState } from './service.ts';

/** A service of any product, as its customer's list shows it. */
export interface ListedService {
  readonly id: string;
  readonly number: bigint;
  readonly product: Product;
  readonly name: string;
  readonly custom_name: string | null;
  readonly state: ServiceState;
  readonly expire_at: Instant;
  readonly auto_renew: boolean;
  readonly renew_priority: number;
  readonly delete_at: Instant | null;
  readonly created_at: Instant;
  readonly version: number;
  /** What a further term costs; null: it will have none, or is not sold any more. */
  readonly renewal: Price | null;
  /** When its customer will be told that the end comes near. */
  readonly notices: readonly Instant[];
}

export interface ServiceFilter {
  readonly product: Product | null;
  readonly state: ServiceState | null;
  readonly autoRenew: boolean | null;
  /** A LIKE pattern for the names. */
  readonly name: string | null;
  /** Only these; null: all. */
  readonly only: readonly string[] | null;
}

export interface ServicePage {
  readonly sort: 'created_at' | 'expire_at' | 'renew_priority';
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

type Row = Omit<ListedService, 'renewal' | 'notices'> &
  RecurringDiscountColumns & {
    readonly account_id: string;
    readonly item: string;
    readonly duration: number;
    readonly duration_unit: TermUnit;
    readonly anchor_day: number;
    readonly announced_version: number | null;
    readonly ends: boolean;
  };

/** A page of an account's services of all products, and how many match. */
export async function listServices(
  db: Executor,
  account: Account,
  filter: ServiceFilter,
  page: ServicePage,
  moment: { readonly catalogs: CatalogStore; readonly current: CatalogVersion; readonly now: Instant },
): Promise<{ readonly services: readonly ListedService[]; readonly total: number }> {
  const name = sql<string>`coalesce(v.hostname, s.name)`;
  let found = db.kysely
    .selectFrom('services as s')
    .leftJoin('servers as v', 'v.id', 's.id')
    .where('s.account_id', '=', account.id);
  if (filter.product !== null) found = found.where('s.product', '=', filter.product);
  if (filter.state !== null) found = found.where('s.state', '=', filter.state);
  if (filter.autoRenew !== null) found = found.where('s.auto_renew', '=', filter.autoRenew);
  if (filter.name !== null) {
    const pattern = filter.name;
    found = found.where((or) =>
      or.or([
        or('s.custom_name', 'ilike', pattern),
        or(name, 'ilike', pattern),
        or('s.name', 'ilike', pattern),
      ]),
    );
  }
  if (filter.only !== null) found = found.where(sql<boolean>`s.id = ANY(${[...filter.only]}::uuid[])`);
  const [rows, count] = await Promise.all([
    found
      .selectAll('s')
      .select([name.as('name'), sql<boolean>`${sql.raw(ENDS)}`.as('ends')])
      .orderBy(`s.${page.sort}`, page.order)
      .orderBy('s.id', page.order)
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    found.select((of) => of.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const listed = rows as readonly Row[];
  const prices = await renewalPrices(db, account, listed, moment);
  return {
    services: listed.map((row) => ({
      ...row,
      renewal: prices.get(row.id) ?? null,
      notices: noticesOf(row, moment),
    })),
    total: Number(count.total),
  };
}

type Moment = Parameters<typeof listServices>[4];

async function renewalPrices(
  db: Executor,
  account: Account,
  rows: readonly Row[],
  { catalogs, current, now }: Moment,
): Promise<ReadonlyMap<string, Price | null>> {
  const renewable = rows.filter((row) => RENEWABLE.includes(row.state) && !row.ends);
  const lines = await renewalLines(db, renewable);
  const announced = await announcedVersions(db, catalogs, renewable);
  const customer = { taxCountry: account.tax_country, taxBusiness: account.tax_business };
  return new Map(
    renewable.map((row) => {
      const { from } = nextTerm(row.product, row, now);
      const versions = { current, announced: announced.get(row.announced_version ?? 0) };
      return [row.id, renewalPrice(row, lines.get(row.id), versions, customer, { now, from, to: from })];
    }),
  );
}

function noticesOf(row: Row, { current, now }: Moment): Instant[] {
  if (row.state !== 'active' || row.ends) return [];
  return noticeDays(row, lifecycleOf(current, row))
    .map((days) => noticeAt(row, days))
    .filter((at) => isBefore(now, at));
}
