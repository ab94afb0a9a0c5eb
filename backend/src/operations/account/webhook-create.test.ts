import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);
const WEBHOOK = { url: 'https://hooks.example.com', events: ['server.*', 'order.paid', 'order.paid'] };

test('the secret is shown once; the address is kept as it will be used', async () => {
  const sent = { token: (await fixture.customer(0n)).secret };
  const { secret, ...made } = await data(
    'account/webhook-create',
    { ...WEBHOOK, description: ' Shop ' },
    sent,
  );
  assert.match(secret, /^whsec_/);
  assert.deepEqual(
    [made.url, made.events, made.description],
    ['https://hooks.example.com/', ['server.*', 'order.paid'], 'Shop'],
  );
  assert.deepEqual([made.active, made.state, made.failing_since], [true, 'active', null]);
  assert.deepEqual(await data('account/webhooks', {}, sent), { webhooks: [made] });
});

test('what a repeated key answers is the secret that was given', async () => {
  const sent = { token: (await fixture.customer(0n)).secret, key: 'one' };
  const first = await data('account/webhook-create', WEBHOOK, sent);
  assert.equal((await data('account/webhook-create', WEBHOOK, sent)).secret, first.secret);
  assert.equal((await data('account/webhooks', {}, sent)).webhooks.length, 1);
});

test('addresses that lead to nothing in the world, and events that there are not, are refused', async () => {
  const sent = { token: (await fixture.customer(0n)).secret };
  for (const url of [
    'http://hooks.example.com/',
    'https://localhost/',
    'https://user:password@hooks.example.com/',
    'https://hooks.example.com:22/',
    'hooks.example.com',
  ])
    await refused('validation_failed', 'account/webhook-create', { ...WEBHOOK, url }, sent);
  for (const events of [[], ['order.payed'], ['orders.*'], ['webhook.test'], ['**']])
    await refused('validation_failed', 'account/webhook-create', { ...WEBHOOK, events }, sent);
});

test('an address in the network of nobody else is refused at once, in any notation', async () => {
  const sent = { token: (await fixture.customer(0n)).secret };
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '10.1.2.3',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
  ])
    await refused(
      'validation_failed',
      'account/webhook-create',
      { ...WEBHOOK, url: `https://${host}/` },
      sent,
    );
});

test("nobody sees or touches another account's webhook, and no token for certain things any", async () => {
  const [who, other] = [await fixture.customer(0n), await fixture.customer(0n)];
  const { uuid } = await data('account/webhook-create', WEBHOOK, { token: who.secret });
  const sent = { token: other.secret };
  assert.deepEqual((await data('account/webhooks', {}, sent)).webhooks, []);
  for (const operation of ['update', 'delete', 'test'])
    await refused('not_found', `account/webhook-${operation}`, { uuid }, sent);
  await refused('not_found', 'account/webhook-replay', { uuid, from_sequence: 1 }, sent);
  await refused('not_found', 'account/webhook-deliveries', { uuid }, sent);
  const { token } = await data(
    'account/token-create',
    { name: 'narrow', scopes: ['*'], resource_allowlist: [uuid] },
    { token: who.secret },
  );
  await refused('token_restricted', 'account/webhooks', {}, { token });
  await refused('token_restricted', 'account/webhook-deliveries', { uuid }, { token });
  await refused('token_restricted', 'account/webhook-test', { uuid }, { token });
});
