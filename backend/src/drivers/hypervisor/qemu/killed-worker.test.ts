// Slow: 35 s

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openKilledServers, SHIFT } from '../../../../test/killed-servers.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { NO_TRACES, tracesOf } from '../../../../test/qemu-traces.ts';

// Real disks and processes: what killed-order.test.ts and its neighbours prove of every statement and of the books is
// proved here of the steps within the commands.
const host = await openQemuNode({ emptyDisks: true });
const site = await openKilledServers(host.node.settings);
after(host.close);
const { processes, clock } = site;
const START = clock.now();
const OVER = START.add({ hours: 25 });
const LIFE = { kind: 'shift', upkeep: ['service.lifecycle'] } as const;
/** And when all is done and the books do not know it yet. */
const WITHIN = /^before (build|stop|commit|clean|record|port|process|unplug|remove|ensure\w+|BEGIN) \(1\)$/;

type Server = Awaited<ReturnType<typeof site.running>>;

function assertOneMachine({ id }: Server, generation: number): void {
  const { files, processes: running, interfaces, rules } = tracesOf(host, id);
  const disks = files.filter((path) => path.endsWith('.qcow2'));
  assert.deepEqual(disks, [`./machines/${id}/${generation}/disk.qcow2`]);
  assert.deepEqual({ running, interfaces, rules }, { running: 1, interfaces: 2, rules: true });
}

async function assertBooks({ who }: Server, change: object): Promise<void> {
  const { servers, entries, reserved, addresses } = (await site.stateOf(who)) ?? {};
  const delivered = { servers: ['active'], entries: ['order -399'], reserved: 0, addresses: 2 };
  assert.deepEqual({ servers, entries, reserved, addresses }, { ...delivered, ...change });
  assert.deepEqual(await site.problems(), []);
}

/** A server that is to be installed anew. */
async function reinstalling() {
  const server = await site.running();
  const input = { uuid: server.id, os: 'debian-13', confirm: 'web.example.com' };
  await site.answered(site.request(server.who, 'server/reinstall', input));
  return server;
}

/** One that runs and is withdrawn from: cut off, then kept for a day. */
async function withdrawn() {
  clock.set(START);
  const server = await site.running();
  const input = { uuid: server.id, mode: 'withdraw', confirm: 'web.example.com' };
  await site.answered(site.request(server.who, 'server/cancel', input));
  await site.work();
  assert.equal(tracesOf(host, server.id).processes, 0);
  clock.set(OVER);
  return server;
}

async function remove(server: Server): Promise<void> {
  await host.driver.ensureAbsent({ serverId: server.id, host: 'fra-epyc', node: 'fra-epyc-01' });
}

const within = (points: readonly string[]) => points.filter((point) => WITHIN.test(point));

// The points themselves, as a run that nothing stops comes to them.
const first = await site.ordered();
const making = within(await site.pointsOf(SHIFT));
await remove(first);
const second = await reinstalling();
const installing = within(await site.pointsOf(SHIFT));
await remove(second);
const third = await withdrawn();
const deleting = within(await site.pointsOf(LIFE));
clock.set(START);

test('the points are the steps of the driver', () => {
  const steps = ['build', 'commit', 'clean', 'port', 'process'].map((step) => `before ${step} (1)`);
  assert.deepEqual(making.slice(0, -1), ['before ensureMachine (1)', ...steps]);
  assert.match(making.at(-1) ?? '', /^before BEGIN \(1\)$/);
  for (const step of ['build', 'stop', 'commit', 'process'])
    assert.ok(installing.includes(`before ${step} (1)`), installing.join(', '));
  assert.ok(deleting.includes('before remove (1)'), deleting.join(', '));
  assert.deepEqual(tracesOf(host, third.id), NO_TRACES);
});

for (const point of making) {
  test(`kill -9 of the worker ${point} of making: one machine, paid once`, async () => {
    const server = await site.ordered();
    await processes.dieIn(SHIFT, point, START);
    await site.recover();
    assertOneMachine(server, 1);
    await assertBooks(server, {});
    await remove(server);
  });
}

for (const point of installing) {
  test(`kill -9 of the worker ${point} of a reinstall: one machine, with the new disk alone`, async () => {
    const server = await reinstalling();
    await processes.dieIn(SHIFT, point, START);
    await site.recover();
    assertOneMachine(server, 2);
    await assertBooks(server, {});
    await remove(server);
  });
}

for (const point of deleting) {
  test(`kill -9 of the worker ${point} of a deletion: no process, file or interface is left`, async () => {
    const server = await withdrawn();
    await processes.dieIn(LIFE, point, OVER);
    await site.work(LIFE);
    await site.recover();
    assert.deepEqual(tracesOf(host, server.id), NO_TRACES);
    const paidBack = ['order -399', 'refund 399'];
    await assertBooks(server, { servers: ['deleted'], entries: paidBack, addresses: 0 });
    clock.set(START);
  });
}
