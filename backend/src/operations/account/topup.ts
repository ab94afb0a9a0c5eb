import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { fieldProblem } from '../../api/order.ts';
import { task } from '../../api/task.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { queuedTask, taskInsert } from '../../business/core/tasks/task.ts';
import { begunPayment, paymentInsert, paymentOf } from '../../business/selling/payments/payment.ts';
import { newReference } from '../../business/selling/payments/reference.ts';
import { returnAddress } from '../../business/selling/payments/return-address.ts';
import { START, startJob } from '../../business/selling/payments/work.ts';
import { BANK } from '../../drivers/payment/port.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import {
  amountGiven,
  payment,
  paymentMethod,
  topupAmount,
  topupProblem,
  wirePayment,
} from './payment.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/topup',
  summary: 'Pay in',
  description:
    'A bank transfer is answered with how to make it. For all else the page to pay on is opened by a task: ' +
    '`redirect_url` is there when it has finished, in `account/payment`, or at once with `Prefer: wait=10`. The ' +
    'balance rises when the money has come. Send an Idempotency-Key: with it nothing begins twice.',
  audience: 'customer',
  scope: 'account:write',
  input: z.strictObject({
    amount: topupAmount,
    method: paymentMethod.describe('One that `account/payment-methods` offers.'),
    save_method: z
      .boolean()
      .default(false)
      .describe('Keep what you pay with, for automatic top-ups; not for transfers.'),
    return_url: z
      .url()
      .max(500)
      .optional()
      .describe('Where to go after paying, on this site; `payment=<uuid>` is added.'),
  }),
  output: z.object({ payment, task: task.nullable() }),
  message: { en: 'The top-up was begun.', de: 'Die Aufladung wurde begonnen.' },
  errors: ['validation_failed', 'rate_limited'],
  example: { input: { amount: 50, method: 'bank' } },
  async ask(ctx, input) {
    const methods = ctx.ports.payment.methods();
    if (!methods.includes(input.method)) {
      const problem = 'This way to pay is not offered.';
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/method', 'not_allowed', problem, { allowed: methods }),
      );
    }
    if (input.save_method && input.method !== BANK && !ctx.ports.payment.keeps(input.method)) {
      const problem = 'What you pay with by this method cannot be kept.';
      throw ctx.refusal('validation_failed', fieldProblem('/save_method', 'not_allowed', problem));
    }
    const outOfBounds = topupProblem(input.amount, ctx.catalog, '/amount');
    if (outOfBounds !== null) throw ctx.refusal('validation_failed', outOfBounds);
    await countAttempt(ctx, LIMITS.topup(ctx.caller.accountId));
    if (input.method !== BANK) return { reference: null, transfer: null };
    const reference = await newReference(ctx.db);
    const { currency } = ctx.catalog.content;
    const order = { amount: amountGiven(input.amount), currency, reference };
    return { reference, transfer: await ctx.ports.payment.transferInstructions(order) };
  },
  handle(_tx, ctx, input, _subject, { reference, transfer }) {
    const id = randomUUIDv7();
    const returnUrl = returnAddress(input.return_url, ctx.publicUrl, id);
    if (returnUrl === null) {
      const problem = `This must be below ${ctx.publicUrl}.`;
      throw ctx.refusal('validation_failed', fieldProblem('/return_url', 'not_allowed', problem));
    }
    const { uow } = ctx;
    const account = lockedAccount(uow, ctx.caller.accountId);
    const begun = begunPayment(
      {
        id,
        account_id: account.id,
        method: input.method,
        amount: amountGiven(input.amount),
        currency: account.currency,
        reference,
        return_url: returnUrl,
        locale: ctx.locale,
        save_method: input.save_method && input.method !== BANK,
        automatic: false,
        payment_method_id: null,
      },
      uow.now,
    );
    uow.changes.add(paymentInsert, begun);
    const shown = wirePayment(begun, ctx.publicUrl, transfer);
    if (input.method === BANK) return { payment: shown, task: null };
    const taskId = randomUUIDv7();
    uow.changes.add(taskInsert, {
      id: taskId,
      account_id: account.id,
      type: START,
      state: 'queued',
      resource_type: 'payment',
      resource_id: id,
      order_id: null,
      created_at: uow.now,
    });
    uow.jobs.push(startJob(id));
    return { payment: shown, task: queuedTask(taskId, START, { type: 'payment', uuid: id }, uow.now) };
  },
  async settle(data, _task, ctx) {
    const started = await paymentOf(ctx.db, data.payment.uuid);
    return started === null ? data : { ...data, payment: wirePayment(started, ctx.publicUrl, null) };
  },
});
