import { z } from 'zod';
import { isBefore } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { StartedPayment } from '../../../drivers/payment/port.ts';
import { commandJob } from '../../../work/job.ts';
import { finishTask, type TaskRef } from '../../core/tasks/task.ts';
import {
  descriptionOf,
  expiresAt,
  lockPayment,
  PAYMENT_COLUMNS,
  type Payment,
  REPEATED_HOURS,
} from './payment.ts';
import { recordPayment } from './record.ts';
import { START } from './work.ts';

type Starting = Payment & { readonly task_id: string };

const loadStarting = statement<Starting>(
  'load_starting_payment',
  `SELECT ${PAYMENT_COLUMNS}, t.id AS task_id FROM payments p
   JOIN tasks t ON t.resource_id = p.id AND t.finished_at IS NULL
   WHERE p.id = $1 AND p.provider_ref IS NULL`,
);
const started = statement<object>(
  'payment_started',
  'UPDATE payments SET provider_ref = $2, redirect_url = $3, updated_at = $4 WHERE id = $1',
);

interface State {
  readonly payment: Payment;
  readonly task: TaskRef;
  /** Too old to be begun: the provider might have forgotten that it was asked before. */
  readonly late: boolean;
}

/** Opens the page that a customer pays on. The payment's id keeps a second run from opening another. */
export default commandJob({
  name: START,
  payload: z.object({ payment_id: z.uuid() }),
  async load(db, ctx, { payment_id }): Promise<State | null> {
    const [found] = await db.run(loadStarting, [payment_id]);
    if (found === undefined) return null;
    const { task_id, ...payment } = found;
    const resource = { type: 'payment', id: payment.id };
    const task = { id: task_id, accountId: payment.account_id, type: START, resource };
    return { payment, task, late: isBefore(payment.created_at.add({ hours: REPEATED_HOURS }), ctx.now) };
  },
  async command(ports, { payment, late }) {
    const provider = ports.payment.provider(payment.method);
    const until = expiresAt(payment);
    if (late || provider === null || until === null) return { kind: 'refused', reason: 'not_started' };
    return await provider.start({
      paymentId: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      description: descriptionOf(payment),
      returnUrl: payment.return_url ?? '',
      locale: payment.locale,
      saveMethod: payment.save_method,
      expiresAt: until,
    });
  },
  accounts: ({ payment }) => [payment.account_id],
  async finish(tx, { uow, log }, { payment, task }, outcome) {
    const locked = await lockPayment(tx, payment.id);
    if (locked.provider_ref !== null) return;
    if (outcome.kind === 'refused') {
      log.warn({ payment: payment.id, reason: outcome.reason }, 'a payment could not be started');
      recordPayment(uow, locked, { end: { state: 'cancelled', reason: outcome.reason } });
      finishTask(uow, task, 'backend_error');
      return;
    }
    const { ref, redirectUrl }: StartedPayment = outcome.result;
    await tx.run(started, [payment.id, ref, redirectUrl, uow.now]);
    finishTask(uow, task, null);
  },
});
