// Slow: 60 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKilledServers, SHIFT } from '../../../../test/killed-servers.ts';
import { killPoints } from '../../../../test/sample.ts';

const site = await openKilledServers();
const { processes, clock } = site;
const START = clock.now();
/** Withdrawn from, it is kept for a day. */
const OVER = START.add({ hours: 25 });
const LIFE = { kind: 'shift', upkeep: ['service.lifecycle'] } as const;

/** No machine, no disk, no address; all that was paid is paid back, once. */
const GONE = {
  servers: ['deleted'],
  orders: ['completed'],
  holds: ['captured'],
  entries: ['order -399', 'refund 399'],
  reserved: 0,
  tasks: ['server.provision succeeded', 'server.snapshot succeeded'],
  changes: 0,
  addresses: 0,
  machines: [],
  copies: 0,
};

type Running = Awaited<ReturnType<typeof running>>;

/** A server that runs and has a snapshot, and the request to withdraw from it. */
async function running() {
  clock.set(START);
  const { who, id } = await site.running();
  await site.answered(site.request(who, 'server/snapshot-create', { uuid: id, name: 'before' }));
  await site.work();
  const input = { uuid: id, mode: 'withdraw', confirm: 'web.example.com' };
  return { who, step: site.request(who, 'server/cancel', input) };
}

async function withdrawn() {
  const server = await running();
  return { ...server, answer: await site.answered(server.step) };
}

async function stopped() {
  const server = await withdrawn();
  await site.work();
  return server;
}

/** A day later, after everything that was begun has gone on. */
async function assertGone({ who, step }: Running, answer: string): Promise<void> {
  clock.set(OVER);
  await site.work(LIFE);
  await site.recover();
  const { events, ...state } = (await site.stateOf(who)) ?? {};
  assert.deepEqual(state, GONE);
  assert.ok(
    Array.isArray(events) && events.filter((type) => type === 'server.deleted').length === 1,
    `${events}`,
  );
  assert.equal(await site.answered(step), answer);
  assert.deepEqual(await site.problems(), []);
}

async function assertStopped({ who }: Running): Promise<void> {
  const state = await site.stateOf(who);
  assert.deepEqual(
    [state?.servers, state?.machines],
    [['cancelled'], [{ power: 'stopped', generation: 1, installs: 1, files: [] }]],
  );
  assert.deepEqual(await site.problems(), []);
}

/** Points beside those nearest to the effects, of each step; a nightly run kills at all. */
const FURTHER = 2;

// The points themselves, as a run that nothing stops comes to them.
const first = await running();
const cancelling = await site.pointsOf(first.step);
const stopping = await site.pointsOf(SHIFT);
clock.set(OVER);
const deleting = await site.pointsOf(LIFE);

test('the points include the statements that decide, the commands and every COMMIT', async () => {
  for (const point of ['before insert_cancellation (1)', 'before COMMIT (1)'])
    assert.ok(cancelling.includes(point), `${point} of ${cancelling.join(', ')}`);
  for (const point of ['before ensurePower (1)', 'before COMMIT (1)'])
    assert.ok(stopping.includes(point), `${point} of ${stopping.join(', ')}`);
  for (const point of ['before ensureAbsent (1)', 'before quarantine_addresses (1)', 'before COMMIT (2)'])
    assert.ok(deleting.includes(point), `${point} of ${deleting.join(', ')}`);
  clock.set(START);
  await assertGone(first, await site.answered(first.step));
});

for (const point of killPoints(cancelling, FURTHER)) {
  test(`kill -9 of the API ${point} of a cancellation: repeated with its key, it is paid back once`, async () => {
    const server = await running();
    await processes.dieIn(server.step, point, START);
    const answer = await site.repeated(server.step);
    await site.recover();
    await assertStopped(server);
    await assertGone(server, answer);
  });
}

for (const point of killPoints(stopping, FURTHER)) {
  test(`kill -9 of the worker ${point} of switching a machine off: it is off`, async () => {
    const server = await withdrawn();
    await processes.dieIn(SHIFT, point, START);
    await site.recover();
    await assertStopped(server);
    await assertGone(server, server.answer);
  });
}

for (const point of killPoints(deleting, FURTHER)) {
  test(`kill -9 of the worker ${point} of a deletion: nothing is left of the server`, async () => {
    const server = await stopped();
    await processes.dieIn(LIFE, point, OVER);
    await assertGone(server, server.answer);
  });
}
