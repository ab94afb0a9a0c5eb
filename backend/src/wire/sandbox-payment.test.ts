// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';

const harness = await openHarness();

async function page(balance = 0n) {
  const as = await harness.customer(balance);
  const headers = { prefer: 'wait=20' };
  const input = { amount: 25, method: 'sandbox' };
  const { payment } = await harness.data('account/topup', { as, input, headers });
  const { origin, pathname: path } = new URL(payment.redirect_url);
  return { as, payment, origin, path };
}

const answer = (path: string, text: string) =>
  harness.client.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `answer=${text}`,
  });

const stateOf = async (as: Awaited<ReturnType<typeof page>>['as'], uuid: string) =>
  (await harness.data('account/payment', { as, input: { uuid } })).payment.state;

test('the page is shown, pays, and leads back', async () => {
  const { as, payment, origin, path } = await page();
  const shown = await harness.client.send({ method: 'GET', path, headers: {} });
  assert.equal(shown.status, 200);
  assert.match(shown.text, /25\.00 EUR/);
  assert.match(String(shown.headers['content-security-policy']), /form-action 'self'/);
  const paid = await answer(path, 'pay');
  assert.deepEqual([paid.status, paid.headers.location], [303, `${origin}/?payment=${payment.uuid}`]);
  assert.equal(await stateOf(as, payment.uuid), 'succeeded');
  await answer(path, 'decline');
  await answer(path, 'pay');
  assert.equal((await harness.data('account/balance', { as })).balance, 25);
  assert.match(
    (await harness.client.send({ method: 'GET', path, headers: {} })).text,
    /This payment is paid/,
  );
});

test('declined, nothing is paid', async () => {
  const { as, payment, path } = await page();
  assert.equal((await answer(path, 'decline')).status, 303);
  assert.equal(await stateOf(as, payment.uuid), 'failed');
  assert.equal((await harness.data('account/balance', { as })).balance, 0);
});

test('a page that is none, and an answer that is none, are refused', async () => {
  const { path } = await page();
  assert.equal((await answer(path, 'steal')).status, 422);
  assert.equal((await answer('/sandbox/pay/sp_none', 'pay')).status, 404);
  assert.equal(
    (await harness.client.send({ method: 'GET', path: '/sandbox/pay/x', headers: {} })).status,
    404,
  );
});

test('beside a key of Stripe there is no play money', async () => {
  const settings = { stripeKey: 'sk_test_x', stripeWebhookSecret: 'whsec_x' };
  const other = await openHarness({ settings });
  const as = await other.customer();
  const { offered } = await other.data('account/payment-methods', { as });
  assert.deepEqual(offered, ['stripe', 'bank']);
  const refused = await other.call('account/topup', { as, input: { amount: 25, method: 'sandbox' } });
  assert.deepEqual([refused.status, refused.body.errors[0].allowed], [422, ['stripe', 'bank']]);
  assert.equal((await other.client.send({ method: 'GET', path: '/sandbox/pay/x', headers: {} })).status, 404);
});
