// Slow: 25 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKilledServers, SHIFT } from '../../../../test/killed-servers.ts';
import { killPoints } from '../../../../test/sample.ts';
import { SERVER_ORDER } from '../../../../test/servers.ts';

const site = await openKilledServers();
const { processes, clock } = site;

/** One machine, one entry of the price, and nothing that waits. */
const DELIVERED = {
  servers: ['active'],
  orders: ['completed'],
  holds: ['captured'],
  entries: ['order -399'],
  reserved: 0,
  tasks: ['server.provision succeeded'],
  changes: 0,
  addresses: 2,
  machines: [{ power: 'running', generation: 1, installs: 1, files: [] }],
  copies: 0,
  events: ['account.transaction_booked', 'order.paid', 'server.provisioned', 'task.succeeded'],
};

/** Points beside those nearest to the effects, of each step; a nightly run kills at all. */
const FURTHER = 2;

// The points themselves, as a run that nothing stops comes to them.
const first = await site.customer(10_000n);
const ordering = await site.pointsOf(site.request(first, 'server/order', SERVER_ORDER));
const making = await site.pointsOf(SHIFT);

test('the points include the statements that decide, the commands and every COMMIT', async () => {
  for (const point of ['before lock_accounts (1)', 'before take_addresses (2)', 'before COMMIT (1)'])
    assert.ok(ordering.includes(point), `${point} of ${ordering.join(', ')}`);
  for (const point of ['before ensureMachine (1)', 'before sandbox_install (1)', 'before COMMIT (1)'])
    assert.ok(making.includes(point), `${point} of ${making.join(', ')}`);
  assert.deepEqual(await site.stateOf(first), DELIVERED);
  assert.deepEqual(await site.problems(), []);
});

for (const point of killPoints(ordering, FURTHER)) {
  test(`kill -9 of the API ${point} of an order: repeated with its key, there is one`, async () => {
    const who = await site.customer(10_000n);
    const step = site.request(who, 'server/order', SERVER_ORDER);
    await processes.dieIn(step, point, clock.now());
    const answer = await site.repeated(step);
    await site.recover();
    assert.equal(await site.answered(step), answer);
    assert.deepEqual(await site.stateOf(who), DELIVERED);
    assert.deepEqual(await site.problems(), []);
  });
}

for (const point of killPoints(making, FURTHER)) {
  test(`kill -9 of the worker ${point} of making a machine: there is one, paid once`, async () => {
    const { who, step } = await site.ordered();
    const answer = await site.answered(step);
    await processes.dieIn(SHIFT, point, clock.now());
    await site.recover();
    assert.equal(await site.answered(step), answer);
    assert.deepEqual(await site.stateOf(who), DELIVERED);
    assert.deepEqual(await site.problems(), []);
  });
}
