import Stripe from 'stripe';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';

const { StripeCardError, StripeInvalidRequestError, StripeError } = Stripe.errors;

/**
 * What Stripe answered, as an outcome: it refuses what is wrong with the request and what a bank declines. All
 * else (no answer, too many requests, a fault of its own, a key that is not accepted) may be different next time.
 */
export async function answered<T>(
  ask: () => Promise<T>,
): Promise<Exclude<CommandOutcome<T>, { kind: 'pending' }>> {
  try {
    return { kind: 'done', result: await ask() };
  } catch (error) {
    if (error instanceof StripeCardError) {
      return { kind: 'refused', reason: error.decline_code ?? error.code ?? 'card_declined' };
    }
    if (error instanceof StripeInvalidRequestError && error.statusCode !== 409) {
      return { kind: 'refused', reason: error.code ?? error.message };
    }
    if (error instanceof StripeError) throw new BackendUnavailable('stripe', error);
    throw error;
  }
}
