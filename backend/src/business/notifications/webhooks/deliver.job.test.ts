// Slow: 8 s

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { outbox } from '../../../../test/mail.ts';
import { openWebhooks } from '../../../../test/webhooks.ts';
import { openOutbound } from '../../../base/outbound.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { setSafeMode } from '../../../work/safe-mode.ts';
import { claimWebhooksText } from './claim.ts';
import type { Attempt } from './delivery.ts';

const site = await openWebhooks();
const { pool, clock, receiver, tick, pass, webhook, happen, row, deliveries, data } = site;

beforeEach(async () => {
  await pool.pg.query('UPDATE webhooks SET active = false');
  receiver.requests.length = 0;
  receiver.answerWith(() => 204);
});

/** Each delivery: its sequence, its state, and the statuses that came. */
const outcomes = async (uuid: string) =>
  (await deliveries(uuid)).map(({ sequence, state, log }) => [
    sequence,
    state,
    log.map(({ status }) => status),
  ]);

async function firstAttempt(uuid: string): Promise<Attempt> {
  const attempt = (await deliveries(uuid))[0]?.log[0];
  assert.ok(attempt !== undefined);
  return attempt;
}

/** An account whose webhook has been told of all there is. */
async function watched(input: object = {}) {
  const who = await site.customer(0n);
  const { uuid, secret } = await webhook(who, input);
  const { cursor } = await row(uuid);
  return { who, uuid, secret, first: Number(cursor) + 1 };
}

test('what happens from now on arrives in its order, once, signed, as account/events tells it', async () => {
  clock.set(Temporal.Now.instant().round('second')); // the library that verifies has no clock but the world's
  const who = await site.customer(0n);
  await happen(who, 2);
  const { uuid, secret } = await webhook(who);
  await happen(who, 3);
  await tick();
  await tick();
  assert.deepEqual(receiver.sequences(), [3, 4, 5]);
  const { events } = await data('account/events', { after: '2' }, { token: who.secret });
  for (const [index, { headers, body, event }] of receiver.requests.entries()) {
    assert.deepEqual(new Webhook(secret).verify(body, headers), events[index]);
    assert.equal(headers['webhook-id'], event.uuid);
    assert.equal(headers['content-type'], 'application/json');
  }
  const { cursor, due_at, taken_until, last_success_at } = await row(uuid);
  assert.deepEqual([cursor, due_at, taken_until], [5n, null, null]);
  assert.ok(last_success_at?.equals(clock.now()));
});

test('only what was chosen arrives, however much else happens', async () => {
  const { who, first } = await watched({ events: ['order.paid', 'server.*'] });
  await happen(who, 450);
  await happen(who, 1, 'server.renewed');
  await happen(who, 1, 'order.paid');
  await tick();
  assert.deepEqual(receiver.sequences(), [first + 450, first + 451]);
});

test('each webhook gets its own, and nothing of other accounts', async () => {
  const [one, other] = [await watched(), await watched()];
  await webhook(one.who, { events: ['order.*'] });
  await happen(one.who);
  await tick();
  assert.equal(receiver.requests.length, 1);
  assert.notEqual(one.who.accountId, other.who.accountId);
  assert.deepEqual(await outcomes(other.uuid), []);
});

test('the line waits for what fails, twice; then it comes in order', async () => {
  const { who, uuid, first } = await watched();
  receiver.answerWith(() => (receiver.requests.length <= 2 ? 500 : 200));
  await happen(who, 2);
  await tick();
  assert.deepEqual(receiver.sequences(), [first]);
  await happen(who, 1);
  await tick();
  assert.deepEqual(receiver.sequences(), [first], 'nothing overtakes it, and nothing comes before its time');
  await pass({ seconds: 5 });
  await pass({ seconds: 30 });
  assert.deepEqual(receiver.sequences(), [first, first, first, first + 1, first + 2]);
  assert.deepEqual((await outcomes(uuid))[0], [BigInt(first), 'delivered', [500, 500, 200]]);
  const { at, duration_ms, ...attempt } = await firstAttempt(uuid);
  assert.deepEqual(attempt, { status: 500, error: 'status 500', answer: 'answered 500' });
  assert.match(at, /^\d{4}-/);
  assert.ok(duration_ms >= 0);
});

test('an event that the receiver never takes steps aside at the third failure, and is given up after 72 hours', async () => {
  const { who, uuid, first } = await watched();
  receiver.answerWith(({ event }) => (event.sequence === first ? 422 : 200));
  await happen(who, 3);
  await tick();
  await pass({ seconds: 5 });
  await pass({ seconds: 30 });
  assert.deepEqual(receiver.sequences(), [first, first, first, first + 1, first + 2]);
  assert.equal((await row(uuid)).failing_since, null, 'the others are accepted');
  for (let days = 0; days < 4; days += 1) {
    await happen(who);
    await pass({ hours: 24 });
  }
  const [given] = await deliveries(uuid);
  assert.equal(given?.state, 'failed');
  assert.equal((await row(uuid)).active, true);
  assert.deepEqual(receiver.sequences().slice(-1), [first + 6]);
});

test('a few events that are never taken do not keep all others waiting', async () => {
  const { who, first } = await watched();
  receiver.answerWith(({ event }) => (event.sequence < first + 6 ? 400 : 200));
  await happen(who, 12);
  for (let minutes = 0; minutes < 20; minutes += 1) await pass({ minutes: 1 });
  const came = new Set(receiver.sequences());
  for (let sequence = first; sequence < first + 12; sequence += 1) assert.ok(came.has(sequence));
});

test('a receiver that is down is asked less and less; when it is back, all comes, the oldest first', async () => {
  const { who, uuid, first } = await watched();
  receiver.answerWith(() => 503);
  await happen(who, 300);
  const perHour: number[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    const before = receiver.requests.length;
    for (let minutes = 0; minutes < 60; minutes += 2) await pass({ minutes: 2 });
    perHour.push(receiver.requests.length - before);
  }
  assert.ok((perHour[0] ?? 0) <= 25 && perHour.slice(1).every((count) => count <= 6), perHour.join());
  receiver.answerWith(() => 200);
  receiver.requests.length = 0;
  await pass({ minutes: 30 });
  for (let turns = 0; turns < 20; turns += 1) await tick();
  const [probe, ...rest] = receiver.sequences();
  const missing = Array.from({ length: 300 }, (_, index) => first + index).filter((one) => one !== probe);
  assert.deepEqual(rest, missing);
  assert.deepEqual([(await row(uuid)).pauses, (await row(uuid)).failing_since], [0, null]);
});

test('72 hours without success make it failing, seven days switch it off, with a mail and an event', async () => {
  const { who, uuid, first } = await watched();
  const other = await webhook(who, { url: `${receiver.url}/other`, events: ['account.*'] });
  const state = async () => {
    const { webhooks } = await data('account/webhooks', {}, { token: who.secret });
    return webhooks.find((one: { uuid: string }) => one.uuid === uuid).state;
  };
  receiver.answerWith(({ path }) => (path === '/in' ? 500 : 200));
  const start = clock.now();
  const states: string[] = [];
  for (let day = 0; day < 8; day += 1) {
    await happen(who, 2);
    for (let minutes = 0; minutes < 24 * 60; minutes += 45) await pass({ minutes: 45 });
    states.push(await state());
  }
  assert.deepEqual(states, [...Array(3).fill('active'), ...Array(4).fill('failing'), 'disabled']);
  const sent = receiver.requests.length;
  await happen(who);
  await pass({ hours: 24 });
  assert.equal(receiver.requests.length, sent, 'nothing is sent any more');
  const [mail, ...more] = await outbox(site, 'account.webhook-disabled', { accountId: who.accountId });
  assert.deepEqual(more, []);
  assert.equal(mail?.values.host, new URL(receiver.url).host);
  assert.equal(mail?.values.error, 'status 500');
  const told = receiver.requests.filter(({ path }) => path === '/in/other').map(({ event }) => event);
  assert.deepEqual(
    told.map(({ type, data: body }) => [type, body.webhook_uuid]),
    [['account.webhook_disabled', uuid]],
  );
  const { disabled_at } = await row(uuid);
  assert.ok(disabled_at !== null && disabled_at.since(start).total('hours') >= 168);
  assert.ok((await row(other.uuid)).active);

  receiver.answerWith(() => 200);
  receiver.requests.length = 0;
  await data('account/webhook-update', { uuid, active: true }, { token: who.secret });
  await happen(who);
  await tick();
  await tick();
  const newest = Number((await row(uuid)).cursor);
  assert.equal(await state(), 'active');
  assert.ok(receiver.sequences().includes(newest));
  assert.ok(!receiver.sequences().includes(first), 'what was given up stays so');
});

test('it is switched off however much waits, so that no event is tried often', async () => {
  const { who, uuid } = await watched();
  receiver.answerWith(() => 500);
  await happen(who, 1_500);
  for (let hours = 0; hours < 8 * 24; hours += 1) await pass({ hours: 1 });
  assert.equal((await row(uuid)).active, false);
  assert.equal((await outbox(site, 'account.webhook-disabled', { accountId: who.accountId })).length, 1);
});

test('one failure after a quiet week does not switch a webhook off', async () => {
  const { who, uuid } = await watched();
  receiver.answerWith(() => 500);
  await happen(who);
  for (let hours = 0; hours < 80; hours += 1) await pass({ hours: 1 });
  await pass({ hours: 24 * 10 });
  await happen(who);
  await tick();
  assert.equal((await row(uuid)).active, true);
});

test('killed between the answer and writing it down, the event comes again after a minute, under its id', async () => {
  const { who, uuid } = await watched();
  await happen(who);
  const answered = Promise.withResolvers<void>();
  const killed = async (request: Parameters<typeof receiver.outbound>[0]) => {
    await receiver.outbound(request);
    answered.resolve();
    return await new Promise<never>(() => {});
  };
  tick({ ports: { ...site.ports, outbound: killed } });
  await answered.promise;
  await tick();
  assert.equal(receiver.requests.length, 1, 'whose turn it is, is known for as long as the lease holds');
  await pass({ seconds: 60 });
  assert.equal(receiver.requests.length, 2);
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.deepEqual((await outcomes(uuid))[0]?.slice(1), ['delivered', [204]]);
});

test('workers of several processes send each event once', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => watched()));
  for (const { who } of accounts) await happen(who, 5);
  const pools = [1, 2, 3].map(
    (n) => new Pool({ url: site.database.url, size: 4, name: `worker-${n}`, role: APPLICATION_ROLE }),
  );
  for (let round = 0; round < 2; round += 1) await Promise.all(pools.map((own) => tick({ pool: own })));
  await Promise.all(pools.map((own) => own.end()));
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [30, 30]);
});

test('a receiver that takes its time keeps nobody else waiting', async () => {
  const [slow, quick] = [await watched({ url: `${receiver.url}/slow` }), await watched()];
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<number>();
  receiver.answerWith(({ path }) => {
    if (path === '/in') return 200;
    entered.resolve();
    return gate.promise;
  });
  await happen(slow.who);
  const first = tick();
  await entered.promise;
  await happen(quick.who);
  await tick();
  assert.equal(receiver.requests.filter(({ path }) => path === '/in').length, 1);
  gate.resolve(200);
  await first;
});

test('a change while something is under way counts at once: the turn ends, and the next one knows better', async () => {
  const { who, uuid } = await watched();
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<number>();
  receiver.answerWith(({ path }) => {
    if (path !== '/in') return 200;
    entered.resolve();
    return gate.promise;
  });
  await happen(who, 3);
  const turn = tick();
  await entered.promise;
  const change = { uuid, url: `${receiver.url}/new` };
  await data('account/webhook-update', change, { token: who.secret });
  gate.resolve(500);
  await turn;
  await tick();
  const paths = receiver.requests.map(({ path }) => path);
  assert.deepEqual(paths, ['/in', '/in/new', '/in/new', '/in/new']);
  assert.equal((await row(uuid)).failing_since, null);
});

test('switched off or removed, nothing is sent; switched on, what happens from then on', async () => {
  const { who, uuid, first } = await watched();
  const sent = { token: who.secret };
  await data('account/webhook-update', { uuid, active: false }, sent);
  await happen(who, 2);
  await tick();
  await data('account/webhook-update', { uuid, active: true }, sent);
  await happen(who);
  await tick();
  assert.deepEqual(receiver.sequences(), [first + 2]);
  await data('account/webhook-delete', { uuid }, sent);
  await happen(who);
  await tick();
  assert.equal(receiver.requests.length, 1);
});

test('nothing is sent in safe mode, nor for a closed account', async () => {
  const { who } = await watched();
  await happen(who);
  await setSafeMode(pool, true, clock.now());
  await tick();
  await setSafeMode(pool, false, clock.now());
  await pool.pg.query("UPDATE accounts SET state = 'closed' WHERE id = $1", [who.accountId]);
  await tick();
  assert.equal(receiver.requests.length, 0);
  await pool.pg.query("UPDATE accounts SET state = 'suspended' WHERE id = $1", [who.accountId]);
  await tick();
  assert.equal(receiver.requests.length, 1);
});

test('what cannot be reached, or must not be, is told in the delivery and names no address of ours', async () => {
  const { who, uuid } = await watched();
  const inside = openOutbound({ resolve: async () => ['169.254.169.254'] });
  await happen(who);
  await tick({ ports: { ...site.ports, outbound: inside } });
  const { status, error } = await firstAttempt(uuid);
  assert.deepEqual([status, error], [null, 'the host has an address that is not public']);
});

test('of a long answer a KiB is kept, without what no text holds', async () => {
  const { who, uuid } = await watched();
  const long = async () => ({
    status: 500,
    headers: {},
    body: Buffer.from(`\u0000\u001b[31m${'ü'.repeat(9_000)}`),
  });
  await happen(who);
  await tick({ ports: { ...site.ports, outbound: long } });
  const { answer } = await firstAttempt(uuid);
  assert.ok(Buffer.byteLength(answer ?? '') <= 1_026, 'a character that was cut prints as three bytes');
  assert.match(answer ?? '', /^ {2}\[31mü+/);
});

test('one webhook that cannot be served (its key is gone) leaves the others alone', async () => {
  const [broken, whole] = [await watched(), await watched()];
  await pool.pg.query("UPDATE webhooks SET secret_sealed = '\\x01' WHERE id = $1", [broken.uuid]);
  await happen(broken.who);
  await happen(whole.who);
  await tick();
  assert.equal(receiver.requests.length, 1);
});

test('the secret is in no row in clear', async () => {
  const { uuid, secret } = await watched();
  const { rows } = await pool.pg.query<{ text: string }>(
    'SELECT w::text AS text FROM webhooks w UNION ALL SELECT i::text FROM idempotency_keys i UNION ALL SELECT a::text FROM audit a',
  );
  const key = secret.slice('whsec_'.length);
  assert.ok(rows.some(({ text }) => text.includes(uuid)));
  assert.ok(!rows.some(({ text }) => text.includes(key)));
});

test('looking for something to send reads active webhooks and their accounts, not all accounts', async () => {
  await watched();
  await pool.pg.query(
    `INSERT INTO accounts (id, state, currency, created_at)
     SELECT gen_random_uuid(), 'active', 'EUR', $1 FROM generate_series(1, 20000)`,
    [clock.now().toString()],
  );
  const client = await site.queue.connect();
  try {
    await client.query('VACUUM ANALYZE accounts, webhooks');
    await client.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
    await client.query(`PREPARE looking (timestamptz, timestamptz, int) AS ${claimWebhooksText}`);
    const now = clock.now().toString();
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE looking ('${now}', '${now}', 16)`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    const read = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    const { rows: counted } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM webhooks');
    assert.ok(read < 60 + 10 * (counted[0]?.n ?? 0), `${read} blocks for ${counted[0]?.n} webhooks`);
    await client.query('DEALLOCATE looking; RESET plan_cache_mode; RESET enable_seqscan');
  } finally {
    client.release();
  }
});

test('a receiver at an address that nothing leads to fails as others do, and the next one is told', async () => {
  const { who, uuid } = await watched();
  const outbound = openOutbound({ resolve: async () => ['ff02::1'], permits: () => true });
  await happen(who);
  await tick({ ports: { ...site.ports, outbound } });
  const attempt = await firstAttempt(uuid);
  assert.equal(attempt.status, null);
  assert.match(attempt.error ?? '', /^the connection failed \(\w+\)$/);
  assert.deepEqual(receiver.requests, []);
  const other = await watched();
  await happen(other.who);
  await tick();
  assert.deepEqual(receiver.sequences(), [other.first]);
});
