import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { bankEntryOutcome, lockBankEntry } from '../../business/selling/payments/bank/entry.ts';
import { operation } from '../../operation.ts';
import { bankEntryState } from './bank-entry.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/bank-ignore',
  summary: 'Put a transfer aside',
  description: 'For money that is not a customer’s. It can still be booked to one by `staff/bank-assign`.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    uuid: uuid.describe('The entry.'),
    note: z.string().trim().max(200).default('').describe('For other operators.'),
  }),
  output: z.object({ uuid, state: bankEntryState, note: z.string() }),
  message: { en: 'The transfer was put aside.', de: 'Die Überweisung wurde beiseite gelegt.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', note: 'Our own transfer' } },
  async handle(tx, ctx, { uuid: id, note }) {
    const entry = await lockBankEntry(tx, id);
    if (entry === null) throw ctx.refusal('not_found');
    if (entry.state === 'matched')
      throw ctx.refusal('state_conflict', { members: { current_state: entry.state } });
    const nothing = { payment_id: null, account_id: null, entry_id: null };
    ctx.uow.changes.add(bankEntryOutcome, { id, state: 'ignored', note, ...nothing });
    return { uuid: id, state: 'ignored' as const, note };
  },
});
