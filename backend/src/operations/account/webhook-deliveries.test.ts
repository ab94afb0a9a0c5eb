import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebhooks } from '../../../test/webhooks.ts';
import purge from '../../business/maintenance/purge.job.ts';

const site = await openWebhooks();
const { receiver, clock, tick, pass, webhook, happen, data } = site;

async function watched() {
  const who = await site.customer(0n);
  const { uuid } = await webhook(who);
  return { who, uuid, sent: { token: who.secret } };
}

test('what was sent is listed with all its attempts, by state and type, the newest first', async () => {
  const { who, uuid, sent } = await watched();
  receiver.answerWith(({ event }) => (event.type === 'order.failed' ? 500 : 200));
  await happen(who, 2);
  await happen(who, 1, 'order.failed');
  await tick();
  await pass({ seconds: 5 });
  const all = await data('account/webhook-deliveries', { uuid }, sent);
  assert.deepEqual(all.pagination, { page: 1, per_page: 25, total: 3, total_pages: 1 });
  const [failing] = (await data('account/webhook-deliveries', { uuid, state: 'pending' }, sent)).deliveries;
  assert.deepEqual([failing.type, failing.reason, failing.finished_at], ['order.failed', 'event', null]);
  assert.deepEqual(
    failing.attempts.map(({ status, error, answer }: Record<string, unknown>) => [status, error, answer]),
    Array(2).fill([500, 'status 500', 'answered 500']),
  );
  const next = clock.now().add({ seconds: 30 }).toString();
  assert.equal(failing.next_attempt_at, next.slice(0, 19).replace('T', ' '));
  const found = { uuid, search: 'bound', state: 'delivered', order: 'asc', per_page: 1 };
  const { deliveries, pagination } = await data('account/webhook-deliveries', found, sent);
  assert.deepEqual([deliveries.length, pagination.total], [1, 2]);
  assert.deepEqual(
    [deliveries[0].attempts[0].status, deliveries[0].attempts[0].answer, deliveries[0].next_attempt_at],
    [200, null, null],
  );
});

test('what was sent is forgotten after thirty days', async () => {
  const { who, uuid, sent } = await watched();
  receiver.answerWith(() => 200);
  await happen(who);
  await tick();
  clock.set(clock.now().add({ hours: 29 * 24 }));
  await site.run(purge);
  assert.equal((await data('account/webhook-deliveries', { uuid }, sent)).pagination.total, 1);
  clock.set(clock.now().add({ hours: 25 }));
  await site.run(purge);
  assert.equal((await data('account/webhook-deliveries', { uuid }, sent)).pagination.total, 0);
});
