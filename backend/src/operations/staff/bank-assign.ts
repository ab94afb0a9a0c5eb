import { z } from 'zod';
import { currency, money, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { wireAmount } from '../../base/money.ts';
import { assignEntry } from '../../business/selling/payments/bank/assign.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/bank-assign',
  summary: 'Book a transfer to a customer',
  description: 'For entries that named no payment: the customer gets the amount, as a payment of its own.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    uuid: uuid.describe('The entry.'),
    customer_uuid: uuid.describe('The account.'),
  }),
  output: z.object({
    uuid,
    customer_uuid: uuid,
    payment_uuid: uuid,
    transaction_uuid: uuid,
    amount: money,
    balance: money,
    currency,
  }),
  message: { en: 'The transfer was booked.', de: 'Die Überweisung wurde gebucht.' },
  errors: ['not_found', 'state_conflict', 'validation_failed'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      customer_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b12',
    },
  },
  async handle(tx, ctx, input) {
    const account = await lockInto(tx, ctx.uow, input.customer_uuid);
    if (account === null) throw ctx.refusal('not_found');
    const outcome = await assignEntry(tx, ctx.uow, account, input.uuid);
    switch (outcome.kind) {
      case 'not_found':
        throw ctx.refusal('not_found');
      case 'state_conflict':
        throw ctx.refusal('state_conflict', { members: { current_state: outcome.state } });
      case 'not_a_payment': {
        const problem = `Only money that came in ${account.currency} can be booked.`;
        throw ctx.refusal('validation_failed', fieldProblem('/uuid', 'not_allowed', problem));
      }
      case 'assigned':
        return {
          uuid: input.uuid,
          customer_uuid: account.id,
          payment_uuid: outcome.payment.id,
          transaction_uuid: outcome.entryId,
          amount: wireAmount(outcome.payment.received),
          balance: wireAmount(account.balance),
          currency: account.currency,
        };
    }
  },
});
