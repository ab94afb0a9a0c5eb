import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { markPaidOut } from '../../business/closing/payout.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/payout-paid',
  summary: 'Say that the balance of a closed account was paid out',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    account_uuid: uuid,
    reference: z
      .string()
      .trim()
      .min(1, 'This must not be empty.')
      .max(140)
      .describe('Of the transfer, as the bank statement has it.'),
  }),
  output: z.object({ account_uuid: uuid, reference: z.string() }),
  message: { en: 'The payout is settled.', de: 'Die Auszahlung ist erledigt.' },
  errors: ['not_found'],
  example: { input: { account_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reference: 'Closing 10023' } },
  async handle(tx, ctx, { account_uuid, reference }) {
    const account = await lockInto(tx, ctx.uow, account_uuid);
    const by = { userId: ctx.caller.userId, reference, now: ctx.uow.now };
    if (account === null || !(await markPaidOut(tx, account_uuid, by))) throw ctx.refusal('not_found');
    return { account_uuid, reference };
  },
});
