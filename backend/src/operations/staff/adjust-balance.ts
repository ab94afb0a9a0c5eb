import { z } from 'zod';
import { currency, money, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { parseWireAmount, wireAmount } from '../../base/money.ts';
import { adjust } from '../../business/core/accounts/adjust.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

const MOST = 1_000_000_000;

export default operation({
  method: 'POST',
  path: 'staff/adjust-balance',
  summary: 'Give or take money from a customer',
  description:
    'Posts an entry that the customer sees, with the reason. Taking may bring the balance below zero: the ' +
    'customer then orders nothing until it is paid back. Send an Idempotency-Key.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    uuid: uuid.describe('The account.'),
    amount: z
      .number()
      .min(-MOST)
      .max(MOST)
      .multipleOf(0.01, 'At most two decimals.')
      .describe('In the currency of the account; negative takes.'),
    reason: z.string().trim().min(1, 'This must not be empty.').max(200).describe('The customer reads it.'),
    paid_by: z
      .enum(['bank', 'cash', 'other'])
      .optional()
      .describe('For money that came in: the entry is a top-up. Without it, it is an adjustment.'),
  }),
  output: z.object({
    uuid,
    transaction_uuid: uuid,
    amount: money,
    balance: money,
    balance_minor: z.int(),
    available: money,
    currency,
  }),
  message: { en: 'The balance was adjusted.', de: 'Das Guthaben wurde angepasst.' },
  errors: ['not_found', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', amount: -12.5, reason: 'Refund twice' } },
  async handle(tx, ctx, input) {
    const amount = parseWireAmount(input.amount);
    if (amount === null || amount === 0n || (input.paid_by !== undefined && amount < 0n)) {
      const problem = amount === null ? 'At most two decimals.' : 'Not zero, and a top-up not below it.';
      throw ctx.refusal('validation_failed', fieldProblem('/amount', 'out_of_range', problem));
    }
    const account = await lockInto(tx, ctx.uow, input.uuid);
    if (account === null) throw ctx.refusal('not_found');
    const { entryId } = adjust(ctx.uow, account, {
      amount,
      reason: input.reason,
      ...(input.paid_by === undefined ? {} : { paidBy: input.paid_by }),
    });
    return {
      uuid: account.id,
      transaction_uuid: entryId,
      amount: wireAmount(amount),
      balance: wireAmount(account.balance),
      balance_minor: Number(account.balance),
      available: wireAmount(account.balance - account.reserved + account.creditLimit),
      currency: account.currency,
    };
  },
});
