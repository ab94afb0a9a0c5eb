import { z } from 'zod';
import { isBefore } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import { commandJob } from '../../../work/job.ts';
import { descriptionOf, lockPayment, PAYMENT_COLUMNS, type Payment, REPEATED_HOURS } from './payment.ts';
import { recordPayment } from './record.ts';
import { CHARGE } from './work.ts';

type Charging = Payment & { readonly method_ref: string; readonly removed: boolean };

const loadCharging = statement<Charging>(
  'load_charging_payment',
  `SELECT ${PAYMENT_COLUMNS}, m.provider_ref AS method_ref, m.removed_at IS NOT NULL AS removed
   FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id
   WHERE p.id = $1 AND p.provider_ref IS NULL AND p.state = 'pending'`,
);
const charged = statement<object>(
  'payment_charged',
  'UPDATE payments SET provider_ref = $2, updated_at = $3 WHERE id = $1',
);

/** Charges a saved method, once for a payment. What is declined is told; what is under way is asked for later. */
export default commandJob({
  name: CHARGE,
  payload: z.object({ payment_id: z.uuid() }),
  async load(db, ctx, { payment_id }): Promise<Charging | null> {
    const [payment] = await db.run(loadCharging, [payment_id]);
    // The provider might have forgotten that it was asked before: then nothing but its webhook tells what became
    // of it (rule E3).
    const late =
      payment !== undefined && isBefore(payment.created_at.add({ hours: REPEATED_HOURS }), ctx.now);
    return payment === undefined || late ? null : payment;
  },
  async command(ports, payment) {
    const provider = ports.payment.provider(payment.method);
    const saved = provider?.saved ?? null;
    if (saved === null || payment.removed) return { kind: 'refused', reason: 'payment_method_removed' };
    return await saved.charge({
      paymentId: payment.id,
      methodRef: payment.method_ref,
      amount: payment.amount,
      currency: payment.currency,
      description: descriptionOf(payment),
    });
  },
  accounts: (payment) => [payment.account_id],
  async finish(tx, { uow }, { id }, outcome) {
    const payment = await lockPayment(tx, id);
    if (outcome.kind === 'refused') {
      recordPayment(uow, payment, { end: { state: 'failed', reason: outcome.reason } });
      return;
    }
    await tx.run(charged, [id, outcome.result.ref, uow.now]);
    recordPayment(uow, payment, outcome.result);
  },
});
