// Slow: 3 s

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openWebhooks } from '../../../test/webhooks.ts';

const site = await openWebhooks();
const { receiver, tick, pass, webhook, happen, data, deliveries, row } = site;

beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answerWith(() => 200);
});

async function watched(input: object = {}) {
  const who = await site.customer(0n);
  const { uuid } = await webhook(who, input);
  return { who, uuid, sent: { token: who.secret } };
}

test('a test comes at once, to this webhook alone, whatever it has chosen; and is in the log', async () => {
  const { who, uuid, sent } = await watched({ events: ['order.paid'] });
  await webhook(who);
  const answer = await data('account/webhook-test', { uuid }, sent);
  await tick();
  assert.deepEqual(
    receiver.requests.map(({ event }) => [event.type, event.uuid, event.data]),
    [['webhook.test', answer.event_uuid, { webhook_uuid: uuid }]],
  );
  const [delivery] = (await data('account/webhook-deliveries', { uuid }, sent)).deliveries;
  assert.deepEqual(
    [delivery.uuid, delivery.reason, delivery.state],
    [answer.delivery_uuid, 'test', 'delivered'],
  );
});

test('a test that fails is not repeated, and nothing is held against the webhook for it', async () => {
  const { uuid, sent } = await watched();
  receiver.answerWith(() => 500);
  await data('account/webhook-test', { uuid }, sent);
  await tick();
  await pass({ hours: 1 });
  assert.equal(receiver.requests.length, 1);
  assert.equal((await deliveries(uuid))[0]?.state, 'failed');
  assert.equal((await row(uuid)).failing_since, null);
});

test('while the receiver is given a rest, a test goes there alone; accepted, everything follows, in order', async () => {
  const { who, uuid, sent } = await watched();
  receiver.answerWith(() => 500);
  await happen(who, 5);
  for (const time of [{ seconds: 0 }, { seconds: 5 }, { seconds: 30 }]) await pass(time);
  assert.notEqual((await row(uuid)).quiet_until, null);
  receiver.requests.length = 0;
  await data('account/webhook-test', { uuid }, sent);
  await tick();
  await tick();
  assert.deepEqual(
    receiver.requests.map(({ event }) => event.type),
    ['webhook.test'],
    'refused, it changes nothing',
  );
  receiver.answerWith(() => 200);
  receiver.requests.length = 0;
  await data('account/webhook-test', { uuid }, sent);
  await tick();
  await tick();
  const [first, ...rest] = receiver.requests.map(({ event }) => event);
  assert.equal(first?.type, 'webhook.test');
  const sequences = rest.map(({ sequence }) => sequence);
  assert.equal(sequences.length, 5);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  );
});

test('a test that is asked for during a turn is not forgotten by it', async () => {
  const { who, uuid, sent } = await watched();
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<number>();
  receiver.answerWith(({ event }) => {
    if (event.type === 'webhook.test') return 200;
    entered.resolve();
    return gate.promise;
  });
  await happen(who);
  const turn = tick();
  await entered.promise;
  await data('account/webhook-test', { uuid }, sent);
  gate.resolve(500);
  await turn;
  await tick();
  assert.equal(receiver.requests.at(-1)?.event.type, 'webhook.test');
});
