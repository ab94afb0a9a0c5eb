import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import { receiveWebhook } from '../business/selling/payments/webhook.ts';
import type { Pool } from '../db/pool.ts';
import type { Payments } from '../drivers/payment/port.ts';
import { Refusal } from '../errors.ts';
import { successBody } from './answer.ts';
import { BASE_PATH } from './http.ts';
import { SeldomWarning } from './seldom-warning.ts';

export interface PaymentWebhookOptions {
  readonly pool: Pool;
  readonly payments: Payments;
  readonly clock: Clock;
  readonly log: Logger;
}

const BODY_LIMIT = 256 * 1024;

/** Said to programs of payment providers. */
const RECEIVED = { en: 'The event was received.', de: 'Das Ereignis wurde empfangen.' };

/**
 * `POST <base>/webhooks/payment/<provider>`: what providers tell of payments. The signature over the raw body takes
 * the place of a token. It answers 200 once everything is committed; after anything else providers come again.
 */
export function addPaymentWebhookRoute(app: FastifyInstance, options: PaymentWebhookOptions): void {
  const { pool, payments, clock, log } = options;
  const refused = new SeldomWarning(log, clock, 'a webhook was refused');
  app.post<{ Params: { provider: string } }>(
    `${BASE_PATH}/webhooks/payment/:provider`,
    { bodyLimit: BODY_LIMIT },
    async (request, reply) => {
      const method = request.params.provider;
      const provider = payments.provider(method);
      if (provider === null) throw new Refusal('operation_not_found');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = (name: string) => {
        const value = request.headers[name];
        return Array.isArray(value) ? undefined : value;
      };
      const receiving = { method, provider, now: clock.now(), log };
      const outcome = await receiveWebhook(pool, { body, header }, receiving);
      if (outcome.kind === 'unavailable')
        throw new Refusal('backend_unavailable', { members: { backend: method } });
      if (outcome.kind === 'refused') {
        refused.say(outcome.reason, { provider: method });
        throw new Refusal('signature_invalid', { members: { reason: outcome.reason } });
      }
      return reply
        .type('application/json')
        .header('cache-control', 'no-store')
        .send(successBody(RECEIVED, 200, null, 'en'));
    },
  );
}
