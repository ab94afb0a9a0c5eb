import Stripe from 'stripe';
import type { Instant } from '../../../base/time.ts';
import type { CommandOutcome } from '../../outcome.ts';
import type {
  FoundPayment,
  PaymentCharge,
  PaymentOrder,
  PaymentProvider,
  PaymentRefund,
  SavedMethods,
  StartedPayment,
  Webhook,
  WebhookReading,
} from '../port.ts';
import { answered } from './answered.ts';
import { readEvent } from './event.ts';
import { foundIntent, foundSession, PAYMENT_KEY } from './found.ts';

export interface StripeOptions {
  readonly key: string;
  readonly webhookSecret: string;
  /** Where Stripe is; its own address unless given. */
  readonly endpoint?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' };
}

const TIMEOUT_MS = 20_000;
const SESSION = /^cs_/;

/**
 * Stripe: pages by Checkout Sessions, charges of saved methods by PaymentIntents. Our payment's id is in the
 * metadata of both. Whoever calls repeats what failed, so the SDK does not.
 */
export class StripePayments implements PaymentProvider {
  readonly title = { en: 'online payment (Stripe)', de: 'Online-Zahlung (Stripe)' };
  readonly saved: SavedMethods = {
    charge: (charge) => this.#charge(charge),
    forget: (methodRef) => this.#forget(methodRef),
  };
  readonly #stripe: Stripe;
  readonly #webhookSecret: string;

  constructor({ key, webhookSecret, endpoint }: StripeOptions) {
    this.#webhookSecret = webhookSecret;
    this.#stripe = new Stripe(key, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 0,
      telemetry: false,
      ...endpoint,
    });
  }

  async start(order: PaymentOrder): Promise<CommandOutcome<StartedPayment>> {
    const metadata = { [PAYMENT_KEY]: order.paymentId, hostkeep_flow: 'page' };
    return await answered(async () => {
      const session = await this.#stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: order.paymentId,
          metadata,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: order.currency.toLowerCase(),
                unit_amount: Number(order.amount),
                product_data: { name: order.description },
              },
            },
          ],
          payment_intent_data: {
            metadata,
            description: order.description,
            ...(order.saveMethod ? { setup_future_usage: 'off_session' as const } : {}),
          },
          // What is saved is saved for a customer of Stripe's, who is made for it.
          ...(order.saveMethod ? { customer_creation: 'always' as const } : {}),
          success_url: order.returnUrl,
          cancel_url: order.returnUrl,
          expires_at: Math.floor(order.expiresAt.epochMilliseconds / 1000),
          locale: order.locale === 'de' ? 'de' : 'en',
        },
        { idempotencyKey: `hostkeep-start-${order.paymentId}` },
      );
      if (session.url === null) throw new Error(`Checkout Session ${session.id} has no page`);
      return { ref: session.id, redirectUrl: session.url };
    });
  }

  async #charge(charge: PaymentCharge): Promise<CommandOutcome<FoundPayment>> {
    const method = await answered(() => this.#stripe.paymentMethods.retrieve(charge.methodRef));
    if (method.kind !== 'done') return method;
    const { customer } = method.result;
    if (customer === null) return { kind: 'refused', reason: 'payment_method_removed' };
    const create = () =>
      this.#stripe.paymentIntents.create(
        {
          amount: Number(charge.amount),
          currency: charge.currency.toLowerCase(),
          customer: typeof customer === 'string' ? customer : customer.id,
          payment_method: charge.methodRef,
          off_session: true,
          confirm: true,
          description: charge.description,
          metadata: { [PAYMENT_KEY]: charge.paymentId, hostkeep_flow: 'saved' },
          expand: ['latest_charge'],
        },
        { idempotencyKey: `hostkeep-charge-${charge.paymentId}` },
      );
    return await answered(async () => {
      const intent = await create().catch((error: unknown) => {
        // A declined charge is an error that carries the intent.
        const declined = error instanceof Stripe.errors.StripeCardError ? error.payment_intent : undefined;
        if (declined === undefined) throw error;
        return declined;
      });
      return ours(await this.#found(intent), intent.id);
    });
  }

  async lookup(ref: string): Promise<FoundPayment | null> {
    const outcome = await answered(() => this.#lookup(ref));
    // Refused: there is none of this name (any more).
    return outcome.kind === 'done' ? outcome.result : null;
  }

  async refund({ ref, amount, key }: PaymentRefund): Promise<CommandOutcome<FoundPayment>> {
    return await answered(async () => {
      const intentId = await this.#intentOf(ref);
      if (intentId !== null) {
        const refund = { payment_intent: intentId, amount: Number(amount) };
        await this.#stripe.refunds.create(refund, { idempotencyKey: `hostkeep-refund-${key}` });
      }
      return ours(await this.#lookup(ref), ref);
    });
  }

  async #forget(methodRef: string): Promise<CommandOutcome<null>> {
    // Refused: it is not kept any more.
    await answered(() => this.#stripe.paymentMethods.detach(methodRef));
    return { kind: 'done', result: null };
  }

  /**
   * An event is taken as a sign that something changed; what the payment is now is asked for. So the order of
   * events does not matter, and neither does the API version that the endpoint's events are written in.
   */
  async receive(webhook: Webhook, now: Instant): Promise<WebhookReading> {
    const reading = readEvent(this.#stripe, webhook, this.#webhookSecret, now);
    if (reading.kind === 'refused') return reading;
    const { id, type, about } = reading;
    return { kind: 'read', event: { id, type, found: about === null ? null : await this.lookup(about) } };
  }

  async problem(): Promise<string | null> {
    try {
      await this.#stripe.checkout.sessions.list({ limit: 1 });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async #lookup(ref: string): Promise<FoundPayment | null> {
    if (!SESSION.test(ref)) {
      return await this.#found(
        await this.#stripe.paymentIntents.retrieve(ref, { expand: ['latest_charge'] }),
      );
    }
    const session = await this.#stripe.checkout.sessions.retrieve(ref, {
      expand: ['payment_intent.latest_charge'],
    });
    return foundSession(session, await this.#disputesOf(session.payment_intent));
  }

  async #found(intent: Stripe.PaymentIntent): Promise<FoundPayment | null> {
    return foundIntent(intent, await this.#disputesOf(intent));
  }

  async #disputesOf(intent: Stripe.PaymentIntent | string | null): Promise<readonly Stripe.Dispute[]> {
    if (intent === null || typeof intent === 'string') return [];
    const charge = intent.latest_charge;
    if (charge === null || typeof charge === 'string' || !charge.disputed) return [];
    return (await this.#stripe.disputes.list({ payment_intent: intent.id, limit: 100 })).data;
  }

  async #intentOf(ref: string): Promise<string | null> {
    if (!SESSION.test(ref)) return ref;
    const { payment_intent } = await this.#stripe.checkout.sessions.retrieve(ref);
    return typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null);
  }
}

function ours(found: FoundPayment | null, ref: string): FoundPayment {
  if (found === null) throw new Error(`${ref} is no payment of ours`);
  return found;
}
