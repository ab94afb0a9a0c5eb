import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { openWebhooks } from '../../../test/webhooks.ts';

const site = await openWebhooks();
const { receiver, clock, tick, webhook, happen, data, refused } = site;

beforeEach(async () => {
  await site.pool.pg.query('UPDATE webhooks SET active = false');
  receiver.requests.length = 0;
});

/** A customer whose first events, `bound` twice, paid and `bound` twice, are past. */
async function watched(input: object = {}) {
  const who = await site.customer(0n);
  await happen(who, 2);
  await happen(who, 1, 'order.paid');
  await happen(who, 2);
  const { uuid } = await webhook(who, input);
  return { who, uuid, sent: { token: who.secret } };
}

test('a range comes again, what was chosen of it, in order and with the same ids', async () => {
  const { uuid, sent } = await watched({ events: ['license.*'] });
  const { events } = await data('account/events', {}, sent);
  const range = { uuid, from_sequence: 2, to_sequence: 4 };
  assert.deepEqual(await data('account/webhook-replay', range, sent), { uuid, queued: 2 });
  await tick();
  assert.deepEqual(
    receiver.requests.map(({ body }) => JSON.parse(body)),
    [events[1], events[3]],
  );
  receiver.requests.length = 0;
  await data('account/webhook-replay', { uuid, from_sequence: 4 }, sent);
  await tick();
  assert.deepEqual(receiver.sequences(), [4, 5]);
});

test('one event comes again by its uuid, chosen or not', async () => {
  const { uuid, sent } = await watched({ events: ['license.*'] });
  const { events } = await data('account/events', { types: ['order.paid'] }, sent);
  const asked = { uuid, event_uuid: events[0].uuid };
  assert.equal((await data('account/webhook-replay', asked, sent)).queued, 1);
  assert.equal((await data('account/webhook-replay', asked, sent)).queued, 0, 'it waits already');
  await tick();
  assert.deepEqual(receiver.sequences(), [3]);
  assert.equal((await data('account/webhook-replay', asked, sent)).queued, 1, 'and once more');
});

test('what comes again does not wait behind what is new', async () => {
  const { who, uuid, sent } = await watched();
  await happen(who);
  await data('account/webhook-replay', { uuid, from_sequence: 1, to_sequence: 2 }, sent);
  await tick();
  assert.deepEqual(receiver.sequences(), [1, 2, 6]);
});

test('at most 1,000 at once, and none older than 30 days', async () => {
  const { who, uuid, sent } = await watched();
  await happen(who, 1_000);
  await refused('validation_failed', 'account/webhook-replay', { uuid, from_sequence: 1 }, sent);
  const range = { uuid, from_sequence: 1, to_sequence: 1_000 };
  assert.equal((await data('account/webhook-replay', range, sent)).queued, 1_000);
  const { events } = await data('account/events', {}, sent);
  clock.set(clock.now().add({ hours: 30 * 24 + 1 }));
  await happen(who);
  const late = await watched();
  const again = { uuid: (await webhook(who)).uuid, from_sequence: 1_000 };
  assert.equal((await data('account/webhook-replay', again, sent)).queued, 1);
  await refused(
    'not_found',
    'account/webhook-replay',
    { uuid: again.uuid, event_uuid: events[0].uuid },
    sent,
  );
  await refused(
    'not_found',
    'account/webhook-replay',
    { uuid: late.uuid, event_uuid: events[0].uuid },
    late.sent,
  );
});

test('what is asked for must be one or the other', async () => {
  const { uuid, sent } = await watched();
  for (const asked of [
    {},
    { to_sequence: 1 },
    { event_uuid: randomUUID(), from_sequence: 1 },
    { from_sequence: 0 },
  ])
    await refused('validation_failed', 'account/webhook-replay', { uuid, ...asked }, sent);
  await refused('not_found', 'account/webhook-replay', { uuid, event_uuid: randomUUID() }, sent);
  const backwards = { uuid, from_sequence: 5, to_sequence: 2 };
  assert.equal((await data('account/webhook-replay', backwards, sent)).queued, 0);
});
