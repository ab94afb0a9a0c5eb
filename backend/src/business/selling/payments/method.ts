import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Bulk } from '../../../db/changes.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { SavedMethod } from '../../../drivers/payment/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Payment } from './payment.ts';
import { forgetMethodJob } from './work.ts';

/** What a provider keeps of a customer, to charge in their absence. */
export interface PaymentMethod {
  readonly id: string;
  readonly provider: string;
  readonly provider_ref: string;
  readonly label: string;
  readonly created_at: Instant;
  readonly removed_at: Instant | null;
}

// One that was removed stays so, however often its payment is looked up again.
const methodInsert: Bulk<{
  id: string;
  account_id: string;
  provider: string;
  provider_ref: string;
  label: string;
  created_at: Instant;
}> = {
  name: '+payment_methods',
  columns: {
    id: 'uuid',
    account_id: 'uuid',
    provider: 'text',
    provider_ref: 'text',
    label: 'text',
    created_at: 'timestamptz',
  },
  sql: (rows) =>
    `INSERT INTO payment_methods (id, account_id, provider, provider_ref, label, created_at)
     SELECT id, account_id, provider, provider_ref, label, created_at FROM ${rows} n
     ON CONFLICT (provider, provider_ref) DO NOTHING`,
  key: (row) => `${row.provider} ${row.provider_ref}`,
};

/** Remembers what a payment was paid with. */
export function saveMethod(
  uow: UnitOfWork,
  payment: Pick<Payment, 'account_id' | 'method'>,
  { ref, label }: SavedMethod,
): void {
  uow.changes.add(methodInsert, {
    id: randomUUIDv7(),
    account_id: payment.account_id,
    provider: payment.method,
    provider_ref: ref,
    label,
    created_at: uow.now,
  });
}

const COLUMNS = 'm.id, m.provider, m.provider_ref, m.label, m.created_at, m.removed_at';

const list = statement<PaymentMethod>(
  'list_payment_methods',
  `SELECT ${COLUMNS} FROM payment_methods m WHERE m.account_id = $1 AND m.removed_at IS NULL
   ORDER BY m.created_at DESC, m.id DESC LIMIT 100`,
);

/** The newest hundred of an account's that were not removed. */
export async function methodsOf(db: Executor, accountId: string): Promise<readonly PaymentMethod[]> {
  return await db.run(list, [accountId]);
}

const one = statement<PaymentMethod>(
  'load_payment_method',
  `SELECT ${COLUMNS} FROM payment_methods m WHERE m.account_id = $1 AND m.id = $2`,
);

/** One of an account's, removed or not. */
export async function methodOf(db: Executor, accountId: string, id: string): Promise<PaymentMethod | null> {
  const [method] = await db.run(one, [accountId, id]);
  return method ?? null;
}

const remove = statement<object>(
  'remove_payment_method',
  'UPDATE payment_methods SET removed_at = $2 WHERE id = $1 AND removed_at IS NULL',
);

const removeAll = statement<{ id: string }>(
  'remove_payment_methods',
  'UPDATE payment_methods SET removed_at = $2 WHERE account_id = $1 AND removed_at IS NULL RETURNING id',
);

/** Removes all of an account's for good, and has their providers forget them. */
export async function removeMethods(tx: Transaction, uow: UnitOfWork, accountId: string): Promise<void> {
  const removed = await tx.run(removeAll, [accountId, uow.now]);
  for (const { id } of removed) uow.jobs.push(forgetMethodJob(id));
}

/** Removes one for good; nothing happens to one that was. */
export async function removeMethod(tx: Transaction, id: string, now: Instant): Promise<void> {
  await tx.run(remove, [id, now]);
}
