import type { BasisPoints } from '../../../base/money.ts';
import { readableCode } from '../../../base/readable-code.ts';
import type { Instant } from '../../../base/time.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** A discount code that is to be made; null stands for no limit. */
export interface DiscountDraft {
  /** In capitals. */
  readonly code: string;
  readonly percent: BasisPoints;
  readonly products: readonly string[] | null;
  /** Packages, by uuid. */
  readonly items: readonly string[] | null;
  /** For how many terms of a service it holds, the first included; 0: for all. */
  readonly cycles: number;
  readonly maxUses: number | null;
  readonly maxUsesPerAccount: number | null;
  readonly validFrom: Instant;
  readonly validUntil: Instant | null;
  /** Whose it is alone; null: anybody's. */
  readonly accountId: string | null;
  /** For operators. */
  readonly note: string;
  readonly createdBy: string | null;
}

/** Makes a discount code. Answers whether nothing had that code. */
export async function createDiscount(tx: Transaction, draft: DiscountDraft, now: Instant): Promise<boolean> {
  const made = await tx.kysely
    .insertInto('discount_codes')
    .values({
      code: draft.code,
      percent: draft.percent,
      products: draft.products === null ? null : [...draft.products],
      items: draft.items === null ? null : [...draft.items],
      cycles: draft.cycles,
      max_uses: draft.maxUses,
      max_uses_per_account: draft.maxUsesPerAccount,
      valid_from: draft.validFrom,
      valid_until: draft.validUntil,
      account_id: draft.accountId,
      note: draft.note,
      created_by: draft.createdBy,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .execute();
  return made.length > 0;
}

export interface PersonalDiscount {
  readonly accountId: string;
  readonly percent: BasisPoints;
  readonly products: readonly string[] | null;
  readonly validUntil: Instant | null;
  readonly note: string;
}

/** Gives a customer a code of their own, good for the first term of one order. */
export async function createPersonalDiscount(
  tx: Transaction,
  personal: PersonalDiscount,
  now: Instant,
): Promise<string> {
  const draft = { ...personal, items: null, cycles: 1, maxUses: 1, maxUsesPerAccount: null, createdBy: null };
  for (;;) {
    const code = `GIFT-${readableCode(8)}`;
    if (await createDiscount(tx, { ...draft, code, validFrom: now }, now)) return code;
  }
}

/** Ends a code: nobody orders with it any more. Answers whether there is such a code; one that has ended stays so. */
export async function endDiscount(tx: Transaction, code: string, now: Instant): Promise<boolean> {
  const ended = await tx.kysely
    .updateTable('discount_codes')
    .set((set) => ({ valid_until: set.fn<Instant>('least', ['valid_until', set.val(now)]) }))
    .where('code', '=', code)
    .returning('code')
    .execute();
  return ended.length > 0;
}
