// Slow: 5 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { type Customer, openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';
import { openStripe, STRIPE_KEY, STRIPE_SECRET, stripeSignature } from '../../test/stripe.ts';
import { begunPayment, paymentOf } from '../business/selling/payments/payment.ts';
import { transaction } from '../db/transaction.ts';
import { routedPayments } from '../drivers/payment/routing.ts';
import { StripePayments } from '../drivers/payment/stripe/payments.ts';
import { httpServer } from './http.ts';
import { addPaymentWebhookRoute } from './payment-webhook.ts';

const fixture = await openFixture({ lockTimeoutMs: 2_000 });
const { pool, clock } = fixture;
const stripe = await openStripe();
const driver = new StripePayments({
  key: STRIPE_KEY,
  webhookSecret: STRIPE_SECRET,
  endpoint: stripe.endpoint,
});
const log = pino({ level: 'silent' });
const app = httpServer({
  operations: [],
  runner: openRequests(fixture).runner,
  log,
  publicUrl: () => 'https://hostkeep.example',
  trustedProxies: [],
});
addPaymentWebhookRoute(app, {
  pool,
  payments: routedPayments({
    providers: new Map([['stripe', driver]]),
    offers: () => true,
    transferInstructions: async () => null,
  }),
  clock,
  log,
});
after(async () => {
  await app.close();
  await stripe.close();
});

async function deliver(body: Buffer, signature = stripeSignature(body, clock.now()), provider = 'stripe') {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v2/webhooks/payment/${provider}`,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** A payment of 25.00 whose page is open. */
async function begun(who: Customer): Promise<{ id: string; ref: string }> {
  const payment = begunPayment(
    {
      id: randomUUID(),
      account_id: who.accountId,
      method: 'stripe',
      amount: 25_00n,
      currency: 'EUR',
      reference: null,
      return_url: 'https://hostkeep.example/',
      locale: 'en',
      save_method: false,
      automatic: false,
      payment_method_id: null,
    },
    clock.now(),
  );
  await transaction(pool, (tx) => tx.kysely.insertInto('payments').values(payment).execute());
  const started = await driver.start({
    paymentId: payment.id,
    amount: payment.amount,
    currency: 'EUR',
    description: 'Account top-up',
    returnUrl: 'https://hostkeep.example/',
    locale: 'en',
    saveMethod: false,
    expiresAt: clock.now().add({ hours: 23 }),
  });
  assert.ok(started.kind === 'done');
  return { id: payment.id, ref: started.result.ref };
}

async function entries(who: Customer): Promise<string[]> {
  const { rows } = await pool.pg.query(
    'SELECT kind, amount::text FROM ledger_entries WHERE account_id = $1 ORDER BY seq',
    [who.accountId],
  );
  return rows.map(({ kind, amount }) => `${kind} ${amount}`);
}

test('money that a signed webhook tells of is booked when it is answered, and only once', async () => {
  const who = await fixture.customer(0n);
  const { id, ref } = await begun(who);
  const [event] = stripe.pays(ref);
  assert.ok(event);
  const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(event)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.deepEqual(await entries(who), ['topup 2500']);
  const { rows } = await pool.pg.query('SELECT type FROM payment_events WHERE payment_id = $1', [id]);
  assert.deepEqual(rows, [{ type: 'payment_intent.succeeded' }]);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('a wrong signature, an old one, one from the future: 400, and nothing is booked', async () => {
  const who = await fixture.customer(0n);
  const { id, ref } = await begun(who);
  const [event] = stripe.pays(ref);
  assert.ok(event);
  const now = clock.now();
  const signatures = {
    wrong: stripeSignature(event, now, 'whsec_other'),
    missing: '',
    replayed: stripeSignature(event, now.subtract({ minutes: 6 })),
    future: stripeSignature(event, now.add({ minutes: 6 })),
    'future behind a good time': `t=${Math.floor(now.epochMilliseconds / 1000)},${stripeSignature(event, now.add({ minutes: 6 }))}`,
  };
  for (const [name, signature] of Object.entries(signatures)) {
    const { status, body } = await deliver(event, signature);
    assert.deepEqual([status, body.error, body.state], [400, 'signature_invalid', 'error'], name);
  }
  const changed = Buffer.from(event.toString().replace('payment_intent.succeeded', 'payment_intent.created'));
  assert.equal((await deliver(changed, stripeSignature(event, now))).status, 400);
  assert.deepEqual(await entries(who), []);
  assert.equal((await paymentOf(pool, id))?.state, 'pending');
  const { rows } = await pool.pg.query('SELECT FROM payment_events WHERE payment_id = $1', [id]);
  assert.equal(rows.length, 0);
});

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

test('events of success, refund, dispute and won dispute end in the same books in every order', async () => {
  for (const order of permutations([0, 1, 2, 3])) {
    const who = await fixture.customer(0n);
    const { id, ref } = await begun(who);
    const [succeeded] = stripe.pays(ref);
    await driver.refund({ ref, amount: 10_00n, key: randomUUID() });
    const intent = JSON.parse(succeeded?.toString() ?? '').data.object.id;
    const refunded = stripe.webhook('charge.refunded', {
      object: 'charge',
      id: 'ch_1',
      payment_intent: intent,
    });
    const [disputed] = stripe.disputes(ref);
    const [won] = stripe.wins(ref);
    const events = [succeeded, refunded, disputed, won];
    for (const at of order) assert.equal((await deliver(events[at] ?? Buffer.alloc(0))).status, 200);
    assert.equal(await fixture.balanceOf(who), 15_00n, order.join());
    assert.equal((await paymentOf(pool, id))?.state, 'succeeded', order.join());
  }
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('a payment that nobody knows is answered 200 and kept as an event only', async () => {
  const started = await driver.start({
    paymentId: randomUUID(),
    amount: 5_00n,
    currency: 'EUR',
    description: 'Of another installation',
    returnUrl: 'https://other.example/',
    locale: 'en',
    saveMethod: false,
    expiresAt: clock.now().add({ hours: 1 }),
  });
  assert.ok(started.kind === 'done');
  const [event] = stripe.pays(started.result.ref);
  assert.ok(event);
  assert.equal((await deliver(event)).status, 200);
  const { id } = JSON.parse(event.toString());
  const { rows } = await pool.pg.query('SELECT payment_id FROM payment_events WHERE event_id = $1', [id]);
  assert.deepEqual(rows, [{ payment_id: null }]);
});

test('unknown providers, bodies beyond 256 KiB and other methods are refused', async () => {
  const body = Buffer.from('{}');
  assert.equal((await deliver(body, '', 'other')).status, 404);
  assert.equal((await deliver(body, '', 'bank')).status, 404);
  const large = await deliver(Buffer.alloc(256 * 1024 + 1, ' '));
  assert.deepEqual([large.status, large.body.limit], [413, 256 * 1024]);
  const get = await app.inject({ method: 'GET', url: '/api/v2/webhooks/payment/stripe' });
  assert.equal(get.statusCode, 404);
});

test('while Stripe cannot be asked, or the account is locked, the event is not taken: it comes again', async () => {
  const who = await fixture.customer(0n);
  const { ref } = await begun(who);
  const [event] = stripe.pays(ref);
  assert.ok(event);
  stripe.setFaults(() => 'fail');
  assert.equal((await deliver(event)).status, 503);
  stripe.setFaults(null);
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [who.accountId]);
    const { status, body } = await deliver(event);
    assert.deepEqual([status, body.error], [409, 'resource_locked']);
  } finally {
    await client.end();
  }
  assert.deepEqual(await entries(who), []);
  assert.equal((await deliver(event)).status, 200);
  assert.deepEqual(await entries(who), ['topup 2500']);
});
