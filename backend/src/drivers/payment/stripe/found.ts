import type Stripe from 'stripe';
import type { FoundPayment, PaymentEnd, PaymentFacts, SavedMethod } from '../port.ts';

/** The member of Stripe's metadata that names our payment. */
export const PAYMENT_KEY = 'hostkeep_payment';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NOTHING: PaymentFacts = { received: 0n, refunded: 0n, disputed: 0n, disputeWon: 0n };

/** What Stripe calls an inquiry, or has settled before it became a dispute, took no money back. */
const TOOK_NOTHING: ReadonlySet<string> = new Set([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
]);

/** A Checkout Session, with its intent expanded, in the port's words; null: none of ours. */
export function foundSession(
  session: Stripe.Checkout.Session,
  disputes: readonly Stripe.Dispute[],
): FoundPayment | null {
  const paymentId = paymentOf(session.metadata);
  if (paymentId === null) return null;
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent;
  return {
    ref: session.id,
    paymentId,
    currency: (intent?.currency ?? session.currency ?? '').toUpperCase(),
    facts: intent === null ? NOTHING : factsOf(intent, disputes),
    end: sessionEnd(session, intent),
    savedMethod: intent === null ? null : savedMethod(intent),
  };
}

/** A PaymentIntent, with its charge expanded, in the port's words; null: none of ours. */
export function foundIntent(
  intent: Stripe.PaymentIntent,
  disputes: readonly Stripe.Dispute[],
): FoundPayment | null {
  const paymentId = paymentOf(intent.metadata);
  if (paymentId === null) return null;
  return {
    ref: intent.id,
    paymentId,
    currency: intent.currency.toUpperCase(),
    facts: factsOf(intent, disputes),
    end: intentEnd(intent),
    savedMethod: savedMethod(intent),
  };
}

function paymentOf(metadata: Stripe.Metadata | null): string | null {
  const id = metadata?.[PAYMENT_KEY];
  return id !== undefined && UUID.test(id) ? id : null;
}

function factsOf(intent: Stripe.PaymentIntent, disputes: readonly Stripe.Dispute[]): PaymentFacts {
  const taken = disputes.filter(({ status }) => !TOOK_NOTHING.has(status));
  return {
    received: BigInt(intent.amount_received),
    refunded: BigInt(chargeOf(intent)?.amount_refunded ?? 0),
    disputed: sumOf(taken),
    disputeWon: sumOf(taken.filter(({ status }) => status === 'won')),
  };
}

function sumOf(disputes: readonly Stripe.Dispute[]): bigint {
  return disputes.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** A page can be tried again after a decline, until it expires; only a debit that bounced later is final. */
function sessionEnd(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): PaymentEnd | null {
  if (session.status === 'expired') return { state: 'cancelled', reason: 'expired' };
  const bounced =
    session.status === 'complete' &&
    session.payment_status === 'unpaid' &&
    intent?.status === 'requires_payment_method';
  return bounced ? { state: 'failed', reason: reasonOf(intent) } : null;
}

function intentEnd(intent: Stripe.PaymentIntent): PaymentEnd | null {
  if (intent.status === 'canceled') return { state: 'cancelled', reason: 'cancelled' };
  if (intent.metadata.hostkeep_flow === 'page') return null;
  const declined = intent.status === 'requires_payment_method' || intent.status === 'requires_action';
  return declined ? { state: 'failed', reason: reasonOf(intent) } : null;
}

function reasonOf({ last_payment_error: error, status }: Stripe.PaymentIntent): string {
  return error?.decline_code ?? error?.code ?? status;
}

/** Cards and SEPA mandates can be charged again; of other methods nothing usable remains. */
function savedMethod(intent: Stripe.PaymentIntent): SavedMethod | null {
  const method = intent.payment_method;
  const details = chargeOf(intent)?.payment_method_details;
  if (intent.setup_future_usage !== 'off_session' || intent.status !== 'succeeded' || method === null)
    return null;
  const ref = typeof method === 'string' ? method : method.id;
  if (details?.card)
    return { ref, label: `${capitalised(details.card.brand ?? 'card')} ${details.card.last4}` };
  if (details?.sepa_debit) return { ref, label: `SEPA ${details.sepa_debit.last4}` };
  return null;
}

function chargeOf(intent: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
