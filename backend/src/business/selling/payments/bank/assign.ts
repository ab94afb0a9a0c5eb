import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../../../../db/transaction.ts';
import { BANK } from '../../../../drivers/payment/port.ts';
import type { LockedAccount, UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import { begunPayment, type Payment } from '../payment.ts';
import { recordPayment } from '../record.ts';
import { type BankEntry, bankEntryOutcome, lockBankEntry } from './entry.ts';

export type AssignOutcome =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'state_conflict'; readonly state: BankEntry['state'] }
  /** It is in another currency than the account, or took money back. */
  | { readonly kind: 'not_a_payment' }
  | { readonly kind: 'assigned'; readonly payment: Payment; readonly entryId: string };

/** Books an entry that named no payment to a customer, as a payment of its own. The account must be locked. */
export async function assignEntry(
  tx: Transaction,
  uow: UnitOfWork,
  account: LockedAccount,
  entryUuid: string,
): Promise<AssignOutcome> {
  const entry = await lockBankEntry(tx, entryUuid);
  if (entry === null) return { kind: 'not_found' };
  if (entry.state === 'matched') return { kind: 'state_conflict', state: entry.state };
  if (entry.amount <= 0n || entry.currency !== account.currency) return { kind: 'not_a_payment' };
  const begun = begunPayment(
    {
      id: randomUUIDv7(),
      account_id: account.id,
      method: BANK,
      amount: entry.amount,
      currency: entry.currency,
      reference: null,
      return_url: null,
      locale: 'en',
      save_method: false,
      automatic: false,
      payment_method_id: null,
    },
    uow.now,
  );
  await tx.kysely.insertInto('payments').values(begun).execute();
  const { payment, entryId } = recordPayment(uow, begun, { facts: { received: entry.amount } });
  if (entryId === null) throw new Error(`bank entry ${entry.id} was not booked`);
  uow.changes.add(bankEntryOutcome, {
    id: entry.id,
    state: 'matched',
    payment_id: payment.id,
    account_id: account.id,
    entry_id: entryId,
    note: entry.note,
  });
  return { kind: 'assigned', payment, entryId };
}
