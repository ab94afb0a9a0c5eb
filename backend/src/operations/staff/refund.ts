import { z } from 'zod';
import { currency, money, moneyInput, uuid } from '../../api/field.ts';
import { parseWireAmount, wireAmount } from '../../base/money.ts';
import { type Instant, isBefore, later } from '../../base/time.ts';
import {
  payerOf,
  type RefundableOrder,
  refundable,
  refundableOrder,
  refundOrder,
} from '../../business/selling/orders/refund.ts';
import { requestCancellation } from '../../business/selling/subscriptions/cancellation/cancellation.ts';
import { lockService } from '../../business/selling/subscriptions/suspension.ts';
import { operation } from '../../operation.ts';
import { lockedAccount, lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/refund',
  summary: 'Pay money of an order back to the customer’s balance',
  description:
    'In part or whole, as often as something is left. It becomes a credit note. An order that is still being ' +
    'delivered has its money on hold: nothing was paid that could be refunded.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    order_id: uuid,
    amount: moneyInput.gt(0, 'More than nothing.').optional().describe('Default: all that is left.'),
    reason: z.string().trim().min(1, 'This must not be empty.').max(200).describe('The customer reads it.'),
    basis: z
      .enum(['goodwill', 'undelivered'])
      .describe(
        '`undelivered`: the service of the term, or of a part of it, was not provided. `goodwill`: it was, all the same.',
      ),
    end_service: z
      .boolean()
      .default(false)
      .describe('Cancel the service at once too; one that has ended already stays as it is.'),
  }),
  output: z.object({
    uuid: uuid.describe('The refund.'),
    order_id: uuid,
    account_uuid: uuid,
    amount: money,
    tax: money,
    left: money.describe('What can still be refunded of the order.'),
    currency,
    transaction_uuid: uuid,
    balance: money,
    service: z.object({ uuid, product: z.string(), state: z.string() }),
  }),
  message: { en: 'The money was refunded.', de: 'Das Geld wurde erstattet.' },
  errors: ['not_found', 'state_conflict', 'refund_exceeds_order'],
  example: {
    input: {
      order_id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      amount: 3.99,
      reason: 'Outage of 12 May',
      basis: 'goodwill',
    },
  },
  async handle(tx, ctx, input) {
    const accountId = await payerOf(tx, input.order_id);
    if (accountId === null || (await lockInto(tx, ctx.uow, accountId)) === null)
      throw ctx.refusal('not_found');
    const order = await refundableOrder(tx, accountId, input.order_id);
    if (order === null) throw ctx.refusal('not_found');
    if (order.state !== 'completed') {
      throw ctx.refusal('state_conflict', {
        members: { current_state: order.state, allowed_states: ['completed'] },
      });
    }
    const left = refundable(order);
    const gross = input.amount === undefined ? left : (parseWireAmount(input.amount) ?? 0n);
    const account = lockedAccount(ctx.uow, accountId);
    if (gross <= 0n || gross > left) {
      throw ctx.refusal('refund_exceeds_order', {
        members: { left: wireAmount(left), currency: account.currency },
      });
    }
    const service = await lockService(tx, ctx.uow, order.service_id);
    if (service === null) throw new Error(`the service of order ${order.id} does not exist`);
    let state = service.state;
    if (input.end_service) {
      const outcome = await requestCancellation(tx, ctx.uow, ctx.catalog, service.id, {
        mode: 'immediate',
        dryRun: false,
        reason: null,
        comment: input.reason,
        requestedBy: ctx.caller.userId,
      });
      // Money is not paid back for a service that goes on after all.
      if (outcome.kind === 'being_delivered') {
        const members = { current_state: outcome.current, task_uuid: outcome.taskId };
        throw ctx.refusal('state_conflict', { members });
      }
      if (outcome.kind === 'done') state = outcome.plan.state;
    }
    const refund = refundOrder(ctx.uow, order, {
      gross,
      basis: input.basis,
      periodFrom: undeliveredFrom(order, { ...input, isWhole: gross === left }, ctx.uow.now),
      reason: input.reason,
      createdBy: ctx.caller.userId,
    });
    return {
      uuid: refund.id,
      order_id: order.id,
      account_uuid: accountId,
      amount: wireAmount(gross),
      tax: wireAmount(refund.tax),
      left: wireAmount(refundable(refund.order)),
      currency: account.currency,
      transaction_uuid: refund.entryId,
      balance: wireAmount(account.balance),
      service: { uuid: service.id, product: service.product, state },
    };
  },
});

/**
 * From when on nothing of the order's term is delivered: never, its whole, or from now on. What was not delivered of it is
 * its whole only where nothing of its money is kept: of an outage the rest of the term is the customer's all the same.
 */
function undeliveredFrom(
  order: RefundableOrder,
  refund: { readonly basis: string; readonly end_service: boolean; readonly isWhole: boolean },
  now: Instant,
): Instant {
  if (refund.basis === 'undelivered' && refund.isWhole) return order.period_from;
  const end = later(now, order.period_from);
  return refund.end_service && isBefore(end, order.period_to) ? end : order.period_to;
}
