import { z } from 'zod';
import { address, standingOf, vatValidation, wireAddress, wireVatStatus } from '../../api/address.ts';
import { noInput, timestamp } from '../../api/field.ts';
import { wireTimeOrNull } from '../../base/time.ts';
import { addressOf, missingFields } from '../../business/core/accounts/address.ts';
import { NOT_CHECKED } from '../../business/core/tax/vat-standing.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'account/get-address',
  summary: 'Whom invoices go to',
  audience: 'customer',
  scope: 'account:read',
  input: noInput,
  output: z.object({
    address: address.nullable().describe('null: none was saved yet.'),
    complete: z.boolean(),
    missing_fields: z.array(z.string()).describe('What mail would not arrive without.'),
    vat_validation: vatValidation,
    version: z.int().describe('0: none was saved yet.'),
    updated_at: timestamp.nullable(),
  }),
  message: { en: 'This is your address.', de: 'Das ist Ihre Adresse.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const stored = await addressOf(ctx.db, ctx.caller.accountId);
    const missing = missingFields(stored);
    return {
      address: stored === null ? null : wireAddress(stored),
      complete: missing.length === 0,
      missing_fields: [...missing],
      vat_validation: wireVatStatus(stored === null ? NOT_CHECKED : standingOf(stored)),
      version: stored?.version ?? 0,
      updated_at: wireTimeOrNull(stored?.updated_at ?? null),
    };
  },
});
