import { z } from 'zod';
import { fieldProblem } from '../../api/order.ts';
import { readCamt } from '../../business/selling/payments/bank/camt.ts';
import { importEntries } from '../../business/selling/payments/bank/import.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/bank-import',
  summary: 'Import bank statements',
  description:
    'CAMT.053 of the account that the catalogue names as the seller’s. Transfers that hold the reference of a ' +
    'payment are booked, whatever their amount; the others wait in `staff/bank-entries`. Each entry counts once, ' +
    'however often it is imported. Larger files: `hostkeep bank import`.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({ camt: z.string().min(1).describe('The XML document.') }),
  output: z.object({
    imported: z.int().describe('Entries that were not known yet.'),
    matched: z.int().describe('Of them, those that were booked.'),
    unmatched: z.int(),
    duplicates: z.int().describe('Entries that were known.'),
  }),
  message: { en: 'The statements were imported.', de: 'Die Kontoauszüge wurden eingelesen.' },
  errors: ['validation_failed'],
  secrets: ['camt'],
  example: { input: { camt: '<Document>…</Document>' } },
  async handle(tx, ctx, input) {
    const iban = ctx.catalog.content.seller?.iban;
    const reading =
      iban === undefined
        ? { ok: false as const, problem: 'the catalogue names no bank account of the seller' }
        : readCamt(input.camt, iban);
    if (!reading.ok) {
      const problem = `This cannot be imported: ${reading.problem}.`;
      throw ctx.refusal('validation_failed', fieldProblem('/camt', 'invalid_format', problem));
    }
    return await importEntries(tx, ctx.uow, reading.entries);
  },
});
