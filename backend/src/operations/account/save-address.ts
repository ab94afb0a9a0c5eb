import { z } from 'zod';
import {
  address,
  addressFields,
  checkAddress,
  vatValidation,
  wireAddress,
  wireVatStatus,
} from '../../api/address.ts';
import { countAttempt } from '../../api/attempt.ts';
import { timestamp } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { addressOf, storeAddress } from '../../business/core/accounts/address.ts';
import { consult, recordConsultation } from '../../business/core/tax/consultation.ts';
import { retax } from '../../business/core/tax/retax.ts';
import { taxTerritory } from '../../business/core/tax/territory.ts';
import { NOT_CHECKED, vatStatus } from '../../business/core/tax/vat-standing.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';

const REGISTER_DEADLINE_MS = 3_000;

export default operation({
  method: 'POST',
  path: 'account/save-address',
  summary: 'Say whom invoices go to',
  description:
    'The address decides which tax you pay from now on; running terms stay as they were sold. A new VAT number is ' +
    'looked up in the EU’s register: only once that confirms it are you taxed as a business. Contacts of domains ' +
    'are not changed.',
  audience: 'customer',
  scope: 'account:write',
  input: z
    .strictObject({
      ...addressFields,
      expected_version: z.int().min(0).optional().describe('0: while there is no address yet.'),
    })
    .superRefine(checkAddress),
  output: z.object({
    address,
    vat_validation: vatValidation,
    tax: z.object({
      rate: z.number().describe('Percent that is charged.'),
      reverse_charge: z.boolean().describe('Whether you owe the tax yourself.'),
    }),
    version: z.int(),
    updated_at: timestamp,
  }),
  message: { en: 'The address was saved.', de: 'Die Adresse wurde gespeichert.' },
  errors: ['validation_failed', 'version_mismatch', 'rate_limited'],
  example: {
    input: {
      salutation: 'ms',
      first_name: 'Ada',
      last_name: 'Lovelace',
      company: 'Analytical Engines GmbH',
      vat_id: 'ATU12345678',
      street: 'Ringstraße',
      house_number: '1a',
      zip: '1010',
      city: 'Wien',
      country: 'AT',
      phone: '+4312345678',
    },
  },
  async ask(ctx, { vat_id: vatId }) {
    if (vatId === null) return null;
    const { accountId } = ctx.caller;
    const known = await vatStatus(ctx.db, accountId, vatId, ctx.now);
    if (known.state === 'valid') return null;
    await countAttempt(ctx, LIMITS.vatNumber(accountId));
    return await consult(ctx.ports.vat, vatId, ctx.catalog, REGISTER_DEADLINE_MS);
  },
  async handle(tx, ctx, { expected_version: expected, ...given }, _subject, consultation) {
    const account = lockedAccount(ctx.uow, ctx.caller.accountId);
    const version = (await addressOf(tx, account.id))?.version ?? 0;
    if (expected !== undefined && expected !== version) {
      throw ctx.refusal('version_mismatch', { members: { current_version: version } });
    }
    if (consultation !== null) await recordConsultation(tx, account.id, consultation, ctx.now);
    const standing =
      given.vat_id === null ? NOT_CHECKED : await vatStatus(tx, account.id, given.vat_id, ctx.now);
    await storeAddress(tx, account.id, given, { version: version + 1, standing, now: ctx.now });
    const customer = { country: taxTerritory(given), business: standing.state === 'valid' };
    const taxation = await retax(tx, ctx.uow, account, customer, ctx.catalog);
    return {
      address: wireAddress(given),
      vat_validation: wireVatStatus(standing),
      tax: { rate: taxation.rate / 100, reverse_charge: taxation.kind === 'reverse_charge' },
      version: version + 1,
      updated_at: wireTime(ctx.now),
    };
  },
});
