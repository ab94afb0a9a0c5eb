import type { BasisPoints } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { type Bulk, bulkInsert } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

/** A discount code as a transaction sees it, with its row locked when it is limited in number. */
export interface Discount {
  readonly code: string;
  readonly percent: BasisPoints;
  /** For how many terms of a service it holds, the first included; 0: for all. */
  readonly cycles: number;
  /** Only these products; null: all. */
  readonly products: readonly string[] | null;
  /** Only these packages, by uuid; null: all. */
  readonly items: readonly string[] | null;
  /** Whose personal code it is; null: anybody's. */
  readonly accountId: string | null;
  readonly validFrom: Instant;
  readonly validUntil: Instant | null;
  readonly usesPerAccount: number | null;
  usesLeft: number | null;
  readonly usedBy: Map<string, number>;
}

/** What a code is going to be used for. */
export interface DiscountUse {
  readonly product: string;
  /** What is sold, as the catalogue names it. */
  readonly item: string;
  readonly accountId: string;
}

interface DiscountRow {
  code: string;
  percent: number;
  cycles: number;
  products: string[] | null;
  items: string[] | null;
  account_id: string | null;
  valid_from: Instant;
  valid_until: Instant | null;
  max_uses: number | null;
  max_uses_per_account: number | null;
  uses: number;
}

const lockCodes = statement<DiscountRow>(
  'lock_discount_codes',
  `SELECT code, percent, cycles, products, items, account_id, valid_from, valid_until, max_uses,
     max_uses_per_account, uses
   FROM discount_codes WHERE code = ANY($1::text[]) ORDER BY code FOR NO KEY UPDATE`,
);
const countUses = statement<{ code: string; account_id: string; uses: number }>(
  'count_discount_uses',
  `SELECT code, account_id, count(*)::int AS uses FROM discount_uses
   WHERE code = ANY($1::text[]) AND account_id = ANY($2::uuid[]) GROUP BY code, account_id`,
);

/** How a code is written does not matter: case and surrounding space are ignored; an empty one is none. */
export function normalizeCode(code: string | undefined): string | null {
  const trimmed = (code ?? '').trim().toUpperCase();
  return trimmed === '' ? null : trimmed;
}

/** Locks the codes (after the accounts: the order that all transactions keep) and counts their uses. */
export async function loadDiscounts(
  tx: Transaction,
  codes: readonly string[],
  accountIds: readonly string[],
): Promise<Map<string, Discount>> {
  if (codes.length === 0) return new Map();
  const rows = await tx.run(lockCodes, [codes]);
  const uses = await tx.run(countUses, [codes, accountIds]);
  return new Map(
    rows.map((row) => [
      row.code,
      {
        code: row.code,
        percent: row.percent,
        cycles: row.cycles,
        products: row.products,
        items: row.items,
        accountId: row.account_id,
        validFrom: row.valid_from,
        validUntil: row.valid_until,
        usesPerAccount: row.max_uses_per_account,
        usesLeft: row.max_uses === null ? null : row.max_uses - row.uses,
        usedBy: new Map(uses.filter((use) => use.code === row.code).map((use) => [use.account_id, use.uses])),
      },
    ]),
  );
}

/** Whether a code is good for this now. One that is somebody else's is as good as none. */
export function applies(discount: Discount, use: DiscountUse, now: Instant): boolean {
  if (discount.accountId !== null && discount.accountId !== use.accountId) return false;
  if (discount.products !== null && !discount.products.includes(use.product)) return false;
  if (discount.items !== null && !discount.items.includes(use.item)) return false;
  if (Temporal.Instant.compare(now, discount.validFrom) < 0) return false;
  if (discount.validUntil !== null && Temporal.Instant.compare(now, discount.validUntil) >= 0) return false;
  if (discount.usesLeft !== null && discount.usesLeft <= 0) return false;
  const used = discount.usedBy.get(use.accountId) ?? 0;
  return discount.usesPerAccount === null || used < discount.usesPerAccount;
}

/** Counts one use in the state. */
export function countUse(discount: Discount, accountId: string): void {
  if (discount.usesLeft !== null) discount.usesLeft -= 1;
  discount.usedBy.set(accountId, (discount.usedBy.get(accountId) ?? 0) + 1);
}

/** Counts one use, in the state and in what will be written. */
export function useDiscount(uow: UnitOfWork, discount: Discount, accountId: string, orderId: string): void {
  countUse(discount, accountId);
  uow.changes.add(useInsert, {
    code: discount.code,
    order_id: orderId,
    account_id: accountId,
    created_at: uow.now,
  });
  uow.changes.add(useCount, { code: discount.code, one: 1 });
}

const useInsert = bulkInsert<{ code: string; order_id: string; account_id: string; created_at: Instant }>(
  'discount_uses',
  { code: 'text', order_id: 'uuid', account_id: 'uuid', created_at: 'timestamptz' },
);

const useCount: Bulk<{ code: string; one: number }> = {
  name: '~discount_codes.uses',
  columns: { code: 'text', one: 'integer' },
  sql: (rows) =>
    `UPDATE discount_codes SET uses = uses + n.times
     FROM (SELECT code, sum(one)::int AS times FROM ${rows} r GROUP BY code) n WHERE discount_codes.code = n.code`,
  key: null,
};
