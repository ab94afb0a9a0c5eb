import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const STRIPE_KEY = 'sk_test_stub';
export const STRIPE_SECRET = 'whsec_stub';

interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  payment_intent: string | null;
  url: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  currency: string;
}

interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  status: string;
  metadata: Record<string, string>;
  payment_method: string | null;
  setup_future_usage: string | null;
  last_payment_error: object | null;
  latest_charge: string | null;
}

interface Charge {
  id: string;
  object: 'charge';
  payment_intent: string;
  amount: number;
  amount_refunded: number;
  disputed: boolean;
  payment_method_details: object;
}

interface Dispute {
  id: string;
  object: 'dispute';
  payment_intent: string;
  amount: number;
  status: string;
}

type Form = Readonly<Record<string, string>>;

class ApiError extends Error {
  readonly status: number;
  readonly error: object;

  constructor(status: number, error: object) {
    super('an answer');
    this.status = status;
    this.error = error;
  }
}

const invalid = (code: string, status = 400) => new ApiError(status, { type: 'invalid_request_error', code });

/** The parameters that we send, as the API's reference names them; an unknown one is refused, as Stripe does. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  'POST /v1/checkout/sessions':
    /^(mode|client_reference_id|success_url|cancel_url|expires_at|locale|customer_creation|metadata\[\w+\]|line_items\[\d+\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[name))\]|payment_intent_data\[(description|setup_future_usage|metadata\]\[\w+)\])$/,
  'POST /v1/payment_intents':
    /^(amount|currency|customer|payment_method|off_session|confirm|description|metadata\[\w+\]|expand\[\d+\])$/,
  'POST /v1/refunds': /^(payment_intent|amount)$/,
};

const id = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

/**
 * A stand-in for Stripe on this machine, as far as we use it: its paths, parameters, objects, errors and idempotency
 * keys, and events signed as Stripe signs them. Amounts that end in 13 are declined in the customer's absence, in 17
 * they take days.
 */
export async function openStripe() {
  const sessions = new Map<string, Session & { data: Form }>();
  const intents = new Map<string, Intent>();
  const charges = new Map<string, Charge>();
  const disputes: Dispute[] = [];
  const methods = new Map<string, { customer: string | null }>();
  const answers = new Map<string, { form: string; status: number; body: object }>();
  const requests: string[] = [];
  let faults: (() => 'break' | 'fail' | null) | null = null;

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
    const text = await bodyOf(request);
    requests.push(`${request.method} ${pathname}`);
    const key = request.headers['idempotency-key'];
    let status = 200;
    let body: object;
    try {
      if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
        throw new ApiError(401, { type: 'invalid_request_error', code: 'api_key_invalid' });
      const form = Object.fromEntries(new URLSearchParams(text));
      const known = typeof key === 'string' ? answers.get(key) : undefined;
      if (known !== undefined) {
        if (known.form !== text) throw new ApiError(400, { type: 'idempotency_error' });
        ({ status, body } = known);
      } else {
        const route = `${request.method} ${pathname}`;
        const unknown = Object.keys(form).find((name) => PARAMETERS[route]?.test(name) === false);
        if (unknown !== undefined) throw invalid('parameter_unknown');
        try {
          body = answer(request.method ?? '', pathname.split('/').slice(2), form, searchParams);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          ({ status } = error);
          body = { error: error.error };
        }
        // Stripe keeps what came of a request once it has begun to run, also a decline.
        if (typeof key === 'string') answers.set(key, { form: text, status, body });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ({ status } = error);
      body = { error: error.error };
    }
    const fault = faults?.() ?? null;
    if (fault === 'break') {
      request.socket.destroy();
      return;
    }
    if (fault === 'fail') [status, body] = [500, { error: { type: 'api_error' } }];
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  function answer(method: string, path: string[], form: Form, query: URLSearchParams): object {
    const [first, second, third] = path;
    if (first === 'checkout' && method === 'POST') return newSession(form);
    if (first === 'checkout' && third === undefined) return { object: 'list', data: [], has_more: false };
    if (first === 'checkout') return expandedSession(of(sessions, third), query);
    if (first === 'payment_intents' && method === 'POST') return newIntent(form);
    if (first === 'payment_intents') return expanded(of(intents, second));
    if (first === 'payment_methods') {
      const kept = of(methods, second);
      if (third === 'detach') {
        if (kept.customer === null) throw invalid('payment_method_not_attached');
        kept.customer = null;
      }
      return { id: second, object: 'payment_method', ...kept };
    }
    if (first === 'refunds') return refund(form);
    if (first === 'disputes') {
      const data = disputes.filter((dispute) => dispute.payment_intent === query.get('payment_intent'));
      return { object: 'list', data, has_more: false };
    }
    throw invalid('resource_missing', 404);
  }

  function newSession(form: Form): object {
    if (form.mode !== 'payment' || form['line_items[0][price_data][currency]'] !== 'eur')
      throw invalid('parameter_invalid');
    const session = {
      id: id('cs_test'),
      object: 'checkout.session' as const,
      status: 'open' as const,
      payment_status: 'unpaid' as const,
      payment_intent: null,
      url: `https://checkout.stripe.com/c/pay/${id('p')}`,
      client_reference_id: form.client_reference_id ?? '',
      metadata: metadataOf(form, 'metadata'),
      currency: 'eur',
    };
    sessions.set(session.id, { ...session, data: form });
    return session;
  }

  function newIntent(form: Form): object {
    const method = of(methods, form.payment_method);
    if (method.customer !== form.customer || form.off_session !== 'true' || form.confirm !== 'true')
      throw invalid('parameter_invalid');
    const amount = Number(form.amount);
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      amount,
      amount_received: 0,
      currency: 'eur',
      status: 'processing',
      metadata: metadataOf(form, 'metadata'),
      payment_method: form.payment_method ?? null,
      setup_future_usage: null,
      last_payment_error: null,
      latest_charge: null,
    };
    intents.set(intent.id, intent);
    if (amount % 100 === 13) {
      const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };
      intent.status = 'requires_payment_method';
      intent.last_payment_error = error;
      throw new ApiError(402, { ...error, payment_intent: { ...intent } });
    }
    if (amount % 100 !== 17) succeed(intent);
    return expanded(intent);
  }

  function succeed(intent: Intent): void {
    const charge: Charge = {
      id: id('ch'),
      object: 'charge',
      payment_intent: intent.id,
      amount: intent.amount,
      amount_refunded: 0,
      disputed: false,
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    };
    charges.set(charge.id, charge);
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.latest_charge = charge.id;
  }

  function refund(form: Form): object {
    const intent = of(intents, form.payment_intent);
    const charge = of(charges, intent.latest_charge ?? undefined);
    const amount = Number(form.amount);
    if (charge.amount_refunded + amount > charge.amount) throw invalid('charge_already_refunded');
    charge.amount_refunded += amount;
    return { id: id('re'), object: 'refund', amount, payment_intent: intent.id, status: 'succeeded' };
  }

  const expanded = (intent: Intent) => ({
    ...intent,
    latest_charge: intent.latest_charge === null ? null : of(charges, intent.latest_charge),
  });

  function expandedSession(
    { data: _, ...session }: Session & { data: Form },
    query: URLSearchParams,
  ): object {
    const expand = [...query].some(
      ([name, value]) => name.startsWith('expand') && value.includes('latest_charge'),
    );
    if (!expand || session.payment_intent === null) return session;
    return { ...session, payment_intent: expanded(of(intents, session.payment_intent)) };
  }

  /** A webhook as Stripe sends it: an event with the object as it is. */
  function webhook(type: string, object: object) {
    const event = { id: id('evt'), object: 'event', api_version: '2020-08-27', type, data: { object } };
    return Buffer.from(JSON.stringify(event));
  }

  return {
    endpoint: { host: '127.0.0.1', port, protocol: 'http' as const },
    requests,
    webhook,
    /** Called with every answer: whether the connection breaks or Stripe fails after it has done its work. */
    setFaults(next: typeof faults): void {
      faults = next;
    },
    pays(sessionId: string): Buffer[] {
      const session = of(sessions, sessionId);
      const saves = session.data['payment_intent_data[setup_future_usage]'] ?? null;
      const method = id('pm');
      methods.set(method, { customer: session.data.customer_creation === 'always' ? id('cus') : null });
      const intent: Intent = {
        id: id('pi'),
        object: 'payment_intent',
        amount: Number(session.data['line_items[0][price_data][unit_amount]']),
        amount_received: 0,
        currency: 'eur',
        status: 'processing',
        metadata: metadataOf(session.data, 'payment_intent_data[metadata]'),
        payment_method: method,
        setup_future_usage: saves,
        last_payment_error: null,
        latest_charge: null,
      };
      intents.set(intent.id, intent);
      succeed(intent);
      Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: intent.id });
      const { data: _, ...told } = session;
      return [webhook('payment_intent.succeeded', intent), webhook('checkout.session.completed', told)];
    },
    expires(sessionId: string): Buffer[] {
      const session = of(sessions, sessionId);
      session.status = 'expired';
      const { data: _, ...told } = session;
      return [webhook('checkout.session.expired', told)];
    },
    disputes(sessionId: string): Buffer[] {
      const intent = of(intents, of(sessions, sessionId).payment_intent ?? undefined);
      const charge = of(charges, intent.latest_charge ?? undefined);
      charge.disputed = true;
      const dispute: Dispute = {
        id: id('dp'),
        object: 'dispute',
        payment_intent: intent.id,
        amount: charge.amount - charge.amount_refunded,
        status: 'needs_response',
      };
      disputes.push(dispute, { ...dispute, id: id('dp'), status: 'warning_closed' });
      return [webhook('charge.dispute.created', dispute)];
    },
    wins(sessionId: string): Buffer[] {
      const intent = of(sessions, sessionId).payment_intent;
      const dispute = disputes.find((known) => known.payment_intent === intent);
      if (dispute === undefined) throw new Error('nothing is disputed');
      dispute.status = 'won';
      return [webhook('charge.dispute.closed', dispute)];
    },
    /** How many intents took money. */
    charged: () => [...intents.values()].filter((intent) => intent.amount_received > 0).length,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The Stripe-Signature of a body at a moment, made by Stripe's own code. */
export function stripeSignature(body: Buffer, at: Temporal.Instant, secret = STRIPE_SECRET): string {
  return new Stripe(STRIPE_KEY).webhooks.generateTestHeaderString({
    payload: body.toString('utf8'),
    secret,
    timestamp: Math.floor(at.epochMilliseconds / 1000),
  });
}

function of<T>(known: ReadonlyMap<string, T>, name: string | undefined): T {
  const found = known.get(name ?? '');
  if (found === undefined) throw invalid('resource_missing', 404);
  return found;
}

function metadataOf(form: Form, prefix: string): Record<string, string> {
  const members = Object.entries(form).filter(([name]) => name.startsWith(`${prefix}[`));
  return Object.fromEntries(members.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
