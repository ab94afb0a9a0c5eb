import type { Amount } from '../../../base/money.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** When a customer is told that their balance is low, and what is then paid in by itself. */
export interface TopupSettings {
  readonly threshold: Amount | null;
  readonly automatic: { readonly amount: Amount; readonly methodId: string } | null;
}

interface SettingsRow {
  readonly threshold: bigint | null;
  readonly amount: bigint | null;
  readonly method_id: string | null;
}

const load = statement<SettingsRow>(
  'load_topup_settings',
  `SELECT low_balance_threshold AS threshold, auto_topup_amount AS amount, auto_topup_method AS method_id
   FROM accounts WHERE id = $1`,
);
const save = statement<object>(
  'save_topup_settings',
  `UPDATE accounts SET low_balance_threshold = $2, auto_topup_amount = $3, auto_topup_method = $4 WHERE id = $1`,
);
const withoutMethod = statement<object>(
  'stop_auto_topup',
  `UPDATE accounts SET auto_topup_amount = NULL, auto_topup_method = NULL
   WHERE id = $1 AND auto_topup_method = $2`,
);

export async function topupSettings(db: Executor, accountId: string): Promise<TopupSettings> {
  const [row] = await db.run(load, [accountId]);
  const { threshold = null, amount = null, method_id: methodId = null } = row ?? {};
  return { threshold, automatic: amount === null || methodId === null ? null : { amount, methodId } };
}

/** The account must be locked. */
export async function saveTopupSettings(
  tx: Transaction,
  accountId: string,
  { threshold, automatic }: TopupSettings,
): Promise<void> {
  await tx.run(save, [accountId, threshold, automatic?.amount ?? null, automatic?.methodId ?? null]);
}

/** Ends automatic top-ups by a method that is removed. The account must be locked. */
export async function stopAutoTopup(tx: Transaction, accountId: string, methodId: string): Promise<void> {
  await tx.run(withoutMethod, [accountId, methodId]);
}
