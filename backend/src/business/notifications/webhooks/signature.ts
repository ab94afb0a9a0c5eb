import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';

/** What a webhook's secret is sealed for. */
export const WEBHOOK_SECRET = 'webhook-secret';
const PREFIX = 'whsec_';

/** A fresh secret with 256 random bits, as Standard Webhooks 1.0 writes it. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * The headers by which a receiver knows that a body is ours, and new: as Standard Webhooks 1.0 has them. `id` stays
 * the same however often the body is sent.
 */
export function signatureHeaders(
  secret: string,
  { id, body }: { readonly id: string; readonly body: string },
  now: Instant,
) {
  const timestamp = String(Math.floor(now.epochMilliseconds / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
