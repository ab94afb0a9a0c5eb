import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import type { BankEntry } from '../../business/selling/payments/bank/entry.ts';

export const bankEntryState = z.enum(['unmatched', 'matched', 'ignored']);

export const bankEntry = z.object({
  uuid,
  booked_on: z.string().describe('`YYYY-MM-DD`'),
  amount: money.describe('Negative: it was taken back.'),
  currency,
  debtor_name: z.string().nullable(),
  debtor_iban: z.string().nullable(),
  remittance: z.string().describe('What the payer wrote.'),
  state: bankEntryState,
  customer_uuid: uuid.nullable(),
  payment_uuid: uuid.nullable(),
  transaction_uuid: uuid.nullable(),
  note: z.string().describe('Why it matched nothing, or what an operator wrote.'),
  imported_at: timestamp,
});

export function wireBankEntry(entry: BankEntry): z.input<typeof bankEntry> {
  return {
    uuid: entry.id,
    booked_on: entry.booked_on,
    amount: wireAmount(entry.amount),
    currency: entry.currency,
    debtor_name: entry.debtor_name,
    debtor_iban: entry.debtor_iban,
    remittance: entry.remittance,
    state: entry.state,
    customer_uuid: entry.account_id,
    payment_uuid: entry.payment_id,
    transaction_uuid: entry.entry_id,
    note: entry.note,
    imported_at: wireTime(entry.imported_at),
  };
}
