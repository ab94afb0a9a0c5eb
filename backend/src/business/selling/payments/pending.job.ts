import { isBefore } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { BANK, type Payments } from '../../../drivers/payment/port.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { PAYMENT_COLUMNS, type Payment, REPEATED_HOURS } from './payment.ts';
import { recordFound } from './record.ts';
import { chargeJob, startJob } from './work.ts';

const AT_ONCE = 1000;
const QUIET_MINUTES = 10;
const UNBEGUN_DAYS = 8;
/** A SEPA direct debit takes up to 14 business days: who gives up before would have the customer pay twice. */
const PROVIDER_DAYS = 30;
const TRANSFER_DAYS = 60;

const waiting = statement<Payment>(
  'waiting_payments',
  `SELECT ${PAYMENT_COLUMNS} FROM payments p
   WHERE p.state = 'pending' AND p.method <> '${BANK}' AND p.created_at BETWEEN $1 AND $2
   ORDER BY p.created_at LIMIT ${AT_ONCE}`,
);
const expired = statement<Payment>(
  'expired_payments',
  `SELECT ${PAYMENT_COLUMNS} FROM payments p
   WHERE p.state = 'pending' AND p.created_at < CASE WHEN p.method = '${BANK}' THEN $1::timestamptz
     WHEN p.provider_ref IS NOT NULL THEN $2 ELSE $3 END
   ORDER BY p.created_at LIMIT ${AT_ONCE}`,
);

/**
 * Asks providers for payments that nothing was heard of, in case their webhooks were lost, begins those whose job
 * is gone (rule C2), and gives up what nobody paid. Money that comes even later is booked all the same.
 */
export default maintenanceJob({
  name: 'payment.pending',
  schedule: '*/15 * * * *',
  async run(pool, ctx, ports) {
    const ago = (days: number) => ctx.now.subtract({ hours: days * 24 });
    const payments = await pool.run(waiting, [
      ago(PROVIDER_DAYS),
      ctx.now.subtract({ minutes: QUIET_MINUTES }),
    ]);
    const known = ctx.now.subtract({ hours: REPEATED_HOURS });
    // An old charge is not repeated: whether it was made, only its webhook tells.
    const unbegun = payments.filter(
      ({ provider_ref, automatic, created_at }) =>
        provider_ref === null && !(automatic && isBefore(created_at, known)),
    );
    const jobs = unbegun.map(({ id, automatic }) => (automatic ? chargeJob(id) : startJob(id)));
    await transaction(pool, (tx) => enqueue(tx, jobs));
    await ask(pool, ctx, ports.payment, payments);
    const over = await pool.run(expired, [ago(TRANSFER_DAYS), ago(PROVIDER_DAYS), ago(UNBEGUN_DAYS)]);
    for (const payment of over) {
      await recordFound(pool, ctx.now, payment, { end: { state: 'cancelled', reason: 'expired' } });
    }
  },
});

async function ask(
  pool: Pool,
  ctx: JobContext,
  ports: Payments,
  payments: readonly Payment[],
): Promise<void> {
  // One that does not answer is not asked for the rest.
  const away = new Set<string>();
  for (const payment of payments) {
    const { method, provider_ref: ref } = payment;
    const provider = ports.provider(method);
    if (ref === null || provider === null || away.has(method)) continue;
    try {
      const found = await provider.lookup(ref);
      if (found !== null) await recordFound(pool, ctx.now, payment, found);
    } catch (error) {
      if (error instanceof BackendUnavailable) away.add(method);
      ctx.log.warn({ err: error, payment: payment.id }, 'a payment could not be asked for');
    }
  }
}
