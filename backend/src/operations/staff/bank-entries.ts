import { z } from 'zod';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { listBankEntries } from '../../business/selling/payments/bank/entry.ts';
import { operation } from '../../operation.ts';
import { bankEntry, bankEntryState, wireBankEntry } from './bank-entry.schema.ts';

export default operation({
  method: 'GET',
  path: 'staff/bank-entries',
  summary: 'What came to the bank account',
  description: '`search` takes a part of what the payer wrote, of their name or IBAN.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({ ...paging(['imported_at']), state: bankEntryState.optional() }),
  output: z.object({ entries: z.array(bankEntry), pagination }),
  message: { en: 'These are the entries.', de: 'Das sind die Umsätze.' },
  errors: ['validation_failed'],
  example: { input: { state: 'unmatched' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { entries, total } = await listBankEntries(
      ctx.db,
      { state: input.state ?? null, text: input.search === undefined ? null : containing(input.search) },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return { entries: entries.map(wireBankEntry), pagination: pageOf(input, total) };
  },
});
