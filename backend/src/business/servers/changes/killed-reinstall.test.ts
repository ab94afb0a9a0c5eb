// Slow: 30 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKilledServers, SHIFT } from '../../../../test/killed-servers.ts';
import { killPoints } from '../../../../test/sample.ts';
import { isLogin } from '../../../drivers/hypervisor/sandbox/password.ts';

const site = await openKilledServers();
const { processes, clock } = site;

/** One machine, installed for the second time, and nothing of before on its disk. */
const REINSTALLED = {
  servers: ['active'],
  orders: ['completed'],
  holds: ['captured'],
  entries: ['order -399'],
  reserved: 0,
  tasks: ['server.provision succeeded', 'server.reinstall succeeded'],
  changes: 0,
  addresses: 2,
  machines: [{ power: 'running', generation: 2, installs: 2, files: [] }],
  copies: 0,
  events: [
    'account.transaction_booked',
    'order.paid',
    'server.provisioned',
    'task.succeeded',
    'server.reinstalled',
    'task.succeeded',
  ],
};

type Running = Awaited<ReturnType<typeof used>>;

/** A server that runs, with a file on its disk, and the request to install it anew. */
async function used() {
  const { who, id } = await site.running();
  await writeFile(id, 'old');
  const input = { uuid: id, os: 'debian-13', confirm: 'web.example.com' };
  return { who, id, step: site.request(who, 'server/reinstall', input) };
}

async function writeFile(id: string, name: string): Promise<void> {
  const sql = 'UPDATE sandbox.machines SET files = files || ARRAY[$2] WHERE server_id = $1';
  await site.sandbox.pg.query(sql, [id, name]);
}

/** Reinstalled once, with the password that was answered; whatever runs again leaves what was written since (rule G1). */
async function assertReinstalled({ who, id, step }: Running, answer: string): Promise<void> {
  assert.deepEqual(await site.stateOf(who), REINSTALLED);
  const { rows } = await site.sandbox.pg.query(
    'SELECT login_hash FROM sandbox.machines WHERE server_id = $1',
    [id],
  );
  assert.ok(await isLogin(rows[0]?.login_hash, 'root', JSON.parse(answer).data.password));
  await writeFile(id, 'new');
  assert.equal(await site.answered(step), answer);
  await site.recover();
  const [machine] = REINSTALLED.machines;
  assert.deepEqual(await site.stateOf(who), { ...REINSTALLED, machines: [{ ...machine, files: ['new'] }] });
  assert.deepEqual(await site.problems(), []);
}

/** Points beside those nearest to the effects, of each step; a nightly run kills at all. */
const FURTHER = 2;

// The points themselves, as a run that nothing stops comes to them.
const first = await used();
const asking = await site.pointsOf(first.step);
const installing = await site.pointsOf(SHIFT);

test('the points include the statements that decide, the commands and every COMMIT', async () => {
  for (const point of ['before lock_server (1)', 'before work_on_server (1)', 'before COMMIT (1)'])
    assert.ok(asking.includes(point), `${point} of ${asking.join(', ')}`);
  for (const point of ['before ensureMachine (1)', 'before sandbox_install (1)', 'before COMMIT (1)'])
    assert.ok(installing.includes(point), `${point} of ${installing.join(', ')}`);
  await assertReinstalled(first, await site.answered(first.step));
});

for (const point of killPoints(asking, FURTHER)) {
  test(`kill -9 of the API ${point} of a reinstall: repeated with its key, it is done once`, async () => {
    const server = await used();
    await processes.dieIn(server.step, point, clock.now());
    const answer = await site.repeated(server.step);
    await site.recover();
    await assertReinstalled(server, answer);
  });
}

for (const point of killPoints(installing, FURTHER)) {
  test(`kill -9 of the worker ${point} of a reinstall: the next one finishes it, once`, async () => {
    const server = await used();
    const answer = await site.answered(server.step);
    await processes.dieIn(SHIFT, point, clock.now());
    await site.recover();
    await assertReinstalled(server, answer);
  });
}
