import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { paymentContract } from '../../../../test/contracts/payment.ts';
import { openStripe, STRIPE_KEY, STRIPE_SECRET, stripeSignature } from '../../../../test/stripe.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { Webhook } from '../port.ts';
import { StripePayments } from './payments.ts';

const NOW = Temporal.Instant.from('2027-01-15T12:00:00Z');

const signed = (body: Buffer, moment = NOW): Webhook => ({
  body,
  header: (name) => (name === 'stripe-signature' ? stripeSignature(body, moment) : undefined),
});

const driverOf = (stripe: Awaited<ReturnType<typeof openStripe>>, key = STRIPE_KEY) =>
  new StripePayments({ key, webhookSecret: STRIPE_SECRET, endpoint: stripe.endpoint });

paymentContract('stripe', async () => {
  const stripe = await openStripe();
  const tells = (happen: (ref: string) => Buffer[]) => async (ref: string) =>
    happen(ref).map((body) => signed(body));
  return {
    driver: driverOf(stripe),
    now: NOW,
    pays: tells(stripe.pays),
    givesUp: tells(stripe.expires),
    disputes: tells(stripe.disputes),
    loses: tells(stripe.wins),
    declinedAmount: 20_13n,
    openAmount: 20_17n,
    signedAt: (webhook, moment) => signed(webhook.body, moment),
    close: stripe.close,
  };
});

const stripe = await openStripe();
after(stripe.close);
const driver = driverOf(stripe);

const order = () => ({
  paymentId: randomUUID(),
  amount: 25_00n,
  currency: 'EUR',
  description: 'Account top-up',
  returnUrl: 'https://hosting.example/',
  locale: 'de',
  saveMethod: true,
  expiresAt: NOW.add({ hours: 23 }),
});

test('an answer that is lost leaves the outcome unknown; asked again, it is the same page', async () => {
  const wanted = order();
  for (const fault of ['break', 'fail'] as const) {
    stripe.setFaults(() => fault);
    await assert.rejects(driver.start(wanted), BackendUnavailable);
  }
  stripe.setFaults(null);
  const first = await driver.start(wanted);
  assert.equal(first.kind, 'done');
  assert.deepEqual(await driver.start(wanted), first);
});

test('a charge whose answer is lost is made once', async () => {
  const started = await driver.start(order());
  assert.ok(started.kind === 'done');
  stripe.pays(started.result.ref);
  const saved = (await driver.lookup(started.result.ref))?.savedMethod;
  assert.equal(saved?.label, 'Visa 4242');
  const before = stripe.charged();
  const charge = { ...order(), methodRef: saved.ref };
  let answers = 0;
  stripe.setFaults(() => (++answers >= 2 ? 'break' : null));
  await assert.rejects(driver.saved.charge(charge), BackendUnavailable);
  stripe.setFaults(null);
  const outcome = await driver.saved.charge(charge);
  assert.ok(outcome.kind === 'done' && outcome.result.facts.received === 25_00n);
  assert.equal(stripe.charged(), before + 1);
});

test('a key that Stripe does not take is no refusal of the payment, and is found', async () => {
  assert.equal(await driver.problem(), null);
  assert.notEqual(await driverOf(stripe, 'sk_test_other').problem(), null);
  await assert.rejects(driverOf(stripe, 'sk_test_other').start(order()), BackendUnavailable);
});

test('an inquiry takes no money', async () => {
  const started = await driver.start(order());
  assert.ok(started.kind === 'done');
  const { ref } = started.result;
  stripe.pays(ref);
  stripe.disputes(ref); // with an inquiry beside it
  assert.equal((await driver.lookup(ref))?.facts.disputed, 25_00n);
});

test('events about nothing of ours, or of types that tell nothing, ask for nothing and are read', async () => {
  const asked = stripe.requests.length;
  const other = { object: 'customer', id: 'cus_1' };
  const reading = await driver.receive(signed(stripe.webhook('customer.created', other)), NOW);
  assert.ok(reading.kind === 'read' && reading.event.found === null);
  assert.equal(stripe.requests.length, asked);
  const intent = { object: 'payment_intent', id: 'pi_unknown' };
  const unknown = await driver.receive(signed(stripe.webhook('payment_intent.succeeded', intent)), NOW);
  assert.ok(unknown.kind === 'read' && unknown.event.found === null);
});

test('while Stripe does not answer, a webhook is not taken', async () => {
  const started = await driver.start(order());
  assert.ok(started.kind === 'done');
  const [body] = stripe.pays(started.result.ref);
  assert.ok(body);
  stripe.setFaults(() => 'fail');
  await assert.rejects(driver.receive(signed(body), NOW), BackendUnavailable);
  stripe.setFaults(null);
});
