import type { Logger } from 'pino';
import type { Instant } from '../../../base/time.ts';
import type { Executor, Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { PaymentEvent, PaymentProvider, Webhook } from '../../../drivers/payment/port.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { lockPayment, paymentOf } from './payment.ts';
import { recordPayment } from './record.ts';

export type WebhookOutcome =
  | { readonly kind: 'refused'; readonly reason: string }
  /** The provider could not be asked what changed; it comes again. */
  | { readonly kind: 'unavailable' }
  /** Committed, if there was anything to write. */
  | { readonly kind: 'received' };

const remember = statement<object>(
  'remember_payment_event',
  `INSERT INTO payment_events (provider, event_id, type, payment_id, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (provider, event_id) DO NOTHING`,
);

interface Receiving {
  readonly method: string;
  readonly provider: PaymentProvider;
  readonly now: Instant;
  readonly log: Logger;
}

/**
 * Takes what a provider tells. Events come repeatedly and in any order: what is booked follows from the payment's
 * facts, and the list of events is only a record of what came.
 */
export async function receiveWebhook(
  pool: Pool,
  webhook: Webhook,
  { method, provider, now, log }: Receiving,
): Promise<WebhookOutcome> {
  const reading = await provider.receive(webhook, now).catch((error: unknown) => {
    if (!(error instanceof BackendUnavailable)) throw error;
    log.warn({ err: error, provider: method }, 'what a webhook is about could not be asked for');
    return { kind: 'unavailable' as const };
  });
  if (reading.kind !== 'read') return reading;
  const { id, type, found } = reading.event;
  const payment = found === null ? null : await paymentOf(pool, found.paymentId);
  if (found === null || payment === null || payment.method !== method) {
    log.info({ provider: method, event: id, type }, 'an event is about no payment of ours');
    await record(pool, method, reading.event, null, now);
    return { kind: 'received' };
  }
  await inUnitOfWork(pool, now, [payment.account_id], async (tx, uow) => {
    recordPayment(uow, await lockPayment(tx, payment.id), found);
    await record(tx, method, reading.event, payment.id, now);
  });
  return { kind: 'received' };
}

async function record(
  db: Executor,
  method: string,
  { id, type }: PaymentEvent,
  paymentId: string | null,
  now: Instant,
): Promise<void> {
  await db.run(remember, [method, id, type, paymentId, now]);
}
