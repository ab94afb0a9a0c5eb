// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../test/fixture.ts';
import { staffToken } from '../../../test/requests.ts';
import { SERVER_PACKAGE } from '../../../test/servers.ts';
import { openSizedServers } from '../../../test/sized-server.ts';
import resizeJob from '../../business/servers/changes/resize.job.ts';
import uplinkJob from '../../business/servers/traffic/uplink.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();
const staff = { token: await staffToken(site) };
await site.data('staff/discount-create', { code: 'HALF', percent: 50 }, staff);
await site.pool.pg.query('UPDATE nodes SET cores_total = 1000, memory_total = 2 ^ 30, disk_total = 100000');
const HOSTNAME = 'web.example.com';
const START = site.clock.now();

/** A server at the beginning of a term of exactly 31 days. */
async function ordered(change: object = {}) {
  site.clock.set(START);
  return await site.ordered(change);
}

function pass(days: number): void {
  site.clock.set(START.add({ minutes: Math.round(1440 * days) }));
}

/** Ports whose hypervisor has something else happen before it changes a size, and after. */
function meanwhile(before: () => Promise<unknown>, after: () => Promise<unknown> = async () => {}) {
  const hypervisor = new Proxy(site.ports.hypervisor, {
    get(target, name, receiver) {
      if (name !== 'ensureResized') return Reflect.get(target, name, receiver);
      return async (...wanted: Parameters<typeof target.ensureResized>) => {
        await before();
        const outcome = await target.ensureResized(...wanted);
        await after();
        return outcome;
      };
    },
  });
  return { ports: { ...site.ports, hypervisor } };
}

const suspend = (uuid: string) => site.data('staff/suspend', { uuid, reason: 'abuse' }, staff);

async function unsuspend(uuid: string): Promise<void> {
  await site.data('staff/unsuspend', { uuid, reason: 'abuse' }, staff);
  await site.work();
}

test('while its size is being changed a server is not renewed at the price of the former one', async () => {
  const { who, uuid, token } = await ordered();
  const before = await site.balanceOf(who);
  const { task } = await site.begin('server/resize', { uuid, cores: 16 }, token);
  for (const dry_run of [true, false]) {
    const renewal = { uuid, duration: 12, dry_run };
    const refused = await site.refused('resource_locked', 'server/renew', renewal, { token });
    assert.equal(refused.task_uuid, task.uuid);
  }
  await site.work();
  const renewed = await site.data('server/renew', { uuid, duration: 12 }, { token });
  assert.equal(renewed.charged.gross, 12 * 41);
  assert.equal(await site.balanceOf(who), before - 1500n - 49_200n);
});

for (const [change, cores, gross] of [
  ['larger', 16, 41n],
  ['smaller', 1, 26n],
] as const) {
  test(`a server that becomes ${change} renews itself once it is, at the new price`, async () => {
    const { who, uuid, token } = await ordered({ auto_renew: true, cores: 5 });
    pass(20);
    await planFault(site.sandbox, {
      command: 'ensure_resized',
      fault: 'pending',
      serverId: uuid,
      times: 1000,
    });
    await site.begin('server/resize', { uuid, cores }, token);
    const before = await site.balanceOf(who);
    for (let day = 20; day <= 32; day += 0.5) {
      pass(day);
      await site.live();
    }
    assert.equal(await site.balanceOf(who), before);
    const notices = await site.pool.pg.query(
      "SELECT FROM service_notices WHERE service_id = $1 AND kind LIKE 'expiring:%'",
      [uuid],
    );
    assert.ok(notices.rows.length > 0, 'its end is told as that of any other');
    await site.pool.pg.query('DELETE FROM sandbox.faults');
    await site.run(resizeJob, { server_id: uuid });
    const { rows } = await site.pool.pg.query<{ gross: bigint }>(
      "SELECT gross FROM orders WHERE service_id = $1 AND action = 'renew'",
      [uuid],
    );
    assert.deepEqual(rows, []);
    pass(32.5);
    await site.live();
    const renewals = await site.pool.pg.query<{ gross: bigint }>(
      "SELECT gross FROM orders WHERE service_id = $1 AND action = 'renew'",
      [uuid],
    );
    assert.deepEqual(renewals.rows, [{ gross: 100n * gross }]);
  });
}

/** A server that renews itself, and that is being enlarged from the end of its term on by a node that does not answer. */
async function stuck() {
  const server = await ordered({ auto_renew: true });
  await planFault(site.sandbox, {
    command: 'ensure_resized',
    fault: 'pending',
    serverId: server.uuid,
    times: 1000,
  });
  pass(30.9);
  await site.begin('server/resize', { uuid: server.uuid, cores: 16 }, server.token);
  return server;
}

async function live(until: number): Promise<void> {
  const from = site.clock.now().since(START).total('days');
  for (let day = from; day < until; day += 0.25) {
    pass(day);
    await site.live();
  }
  pass(until);
  await site.live();
}

async function answer(uuid: string): Promise<void> {
  await site.pool.pg.query('DELETE FROM sandbox.faults');
  await site.run(resizeJob, { server_id: uuid });
  await site.work();
}

const balance = (who: Customer, amount: number) =>
  site.data('staff/adjust-balance', { uuid: who.accountId, amount, reason: 'test' }, staff);

async function service(uuid: string): Promise<{ state: string; expires: number }> {
  const { rows } = await site.pool.pg.query<{ state: string; expire_at: Temporal.Instant }>(
    'SELECT state, expire_at FROM services WHERE id = $1',
    [uuid],
  );
  const [row] = rows;
  if (row === undefined) return assert.fail('there is no service');
  return { state: row.state, expires: row.expire_at.since(START).total('days') };
}

/** What its customer was told of a service by mail, in order. */
async function told(who: Customer): Promise<string[]> {
  const { rows } = await site.pool.pg.query<{ template: string }>(
    "SELECT template FROM mails WHERE account_id = $1 AND template ~ '^service\\.' ORDER BY created_at",
    [who.accountId],
  );
  return rows.map(({ template }) => template);
}

test('a change of size that does not end keeps no server on whose renewal could not be paid (rule B8)', async () => {
  const { who, uuid } = await stuck();
  await balance(who, -(Number(await site.balanceOf(who)) / 100));
  await live(30.95);
  const before = await told(who);
  await live(33.9);
  assert.equal((await service(uuid)).state, 'active');
  // Three days before it is off they know, and can still pay.
  assert.deepEqual(await told(who), [...before, 'service.unpaid']);
  await live(34.1);
  assert.equal((await service(uuid)).state, 'suspended');
  assert.equal((await site.machine(uuid)).power, 'stopped');
  await balance(who, 100);
  await answer(uuid);
  await live(36);
  // At the price of what it is now, for the time from now on; the growth was paid before.
  assert.equal((await service(uuid)).state, 'active');
  assert.equal((await site.machine(uuid)).power, 'running');
  assert.equal(await site.balanceOf(who), 10_000n - 5n - 4_100n);
});

test('who could pay is not switched off because a node does not answer, and pays for all of the time once it does', async () => {
  const { who, uuid } = await stuck();
  const before = await site.balanceOf(who);
  await live(40);
  assert.equal((await service(uuid)).state, 'active');
  assert.equal(await site.balanceOf(who), before);
  await answer(uuid);
  await live(40.2);
  assert.deepEqual(await service(uuid), { state: 'active', expires: 31 + 28 });
  // A tenth of the last day for the growth, and a term of the larger size from the former end on.
  assert.equal(await site.balanceOf(who), before - 5n - 4_100n);
});

test('what nobody pays for is deleted at its time, however long a change of its size takes', async () => {
  const { who, uuid } = await stuck();
  await balance(who, -(Number(await site.balanceOf(who)) / 100));
  for (const day of [34.1, 47, 60, 70]) {
    pass(day);
    await site.live();
  }
  assert.equal((await service(uuid)).state, 'deleted');
  await answer(uuid);
  const { rows } = await site.pool.pg.query('SELECT reserved FROM accounts WHERE id = $1', [who.accountId]);
  assert.deepEqual(rows, [{ reserved: 0n }]);
});

test('a server that is suspended while it grows has grown, and has paid for it', async () => {
  const { who, uuid, token } = await ordered();
  const before = await site.balanceOf(who);
  await site.begin('server/resize', { uuid, cores: 16 }, token);
  await site.run(
    resizeJob,
    { server_id: uuid },
    meanwhile(() => suspend(uuid)),
  );
  await site.work();
  assert.equal((await site.machine(uuid)).power, 'stopped');
  await unsuspend(uuid);
  assert.equal((await site.machine(uuid)).cores, 16);
  assert.equal(await site.balanceOf(who), before - 1500n);
});

test('a server that is suspended while it becomes one of a package is one, and gets back what it costs less', async () => {
  const { who, uuid, token } = await ordered({ backup_slots: 0 });
  const before = await site.balanceOf(who);
  await site.begin('server/resize', { uuid, pack_uuid: SERVER_PACKAGE }, token);
  await site.run(
    resizeJob,
    { server_id: uuid },
    meanwhile(() => suspend(uuid)),
  );
  await site.work();
  await unsuspend(uuid);
  const renewal = await site.data('server/renew', { uuid, duration: 1, dry_run: true }, { token });
  assert.equal(renewal.quote.gross, 3.99);
  assert.equal(await site.balanceOf(who), before + 2400n - 399n);
});

test('a change of size whose answer was lost before a suspension is in the books as it is at the machine', async () => {
  const { who, uuid, token } = await ordered();
  const before = await site.balanceOf(who);
  await planFault(site.sandbox, { command: 'ensure_resized', fault: 'timeout_after', serverId: uuid });
  await site.begin('server/resize', { uuid, cores: 16, disk: 40 }, token);
  await assert.rejects(site.run(resizeJob, { server_id: uuid }));
  await suspend(uuid);
  await site.run(resizeJob, { server_id: uuid });
  await site.work();
  await unsuspend(uuid);
  const { config } = await site.data('server/config', { uuid }, { token });
  const { cores, disk } = await site.machine(uuid);
  assert.deepEqual([config.cores, config.disk], [String(cores), String(disk)]);
  assert.equal(await site.balanceOf(who), before - 3500n);
});

test('a limit of the uplink that was under way leaves the size that a server was given meanwhile', async () => {
  const { uuid, token } = await ordered();
  let isFirst = true;
  const resized = async () => {
    if (isFirst) await site.changed('server/resize', { uuid, cores: 8, memory: 8192 }, token);
    isFirst = false;
  };
  await site.run(uplinkJob, { server_id: uuid }, meanwhile(resized));
  await site.work();
  const { cores, memory } = await site.machine(uuid);
  assert.deepEqual([cores, memory], [8, 8192]);
});

test('a limit of the uplink leaves the size that a server was given, but that is not in the books yet', async () => {
  const { uuid, token } = await ordered();
  const [given, limited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let resized: Promise<unknown> | undefined;
  async function resize() {
    await site.begin('server/resize', { uuid, cores: 8 }, token);
    const slow = meanwhile(
      async () => {},
      async () => {
        given.resolve();
        await limited.promise;
      },
    );
    resized = site.run(resizeJob, { server_id: uuid }, slow);
    await given.promise;
  }
  await site.run(uplinkJob, { server_id: uuid }, meanwhile(resize));
  assert.equal((await site.machine(uuid)).cores, 1);
  limited.resolve();
  await resized;
  await site.work();
  assert.equal((await site.machine(uuid)).cores, 8);
});

test('a limit of the uplink does not wait for names that the name server has not got yet', async () => {
  const { uuid } = await ordered();
  await site.pool.pg.query('UPDATE servers SET throttled_to = 50 WHERE id = $1', [uuid]);
  await site.pool.pg.query(
    `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
     SELECT gen_random_uuid(), account_id, 'server.ptr', 'running', 'server', id, created_at FROM services WHERE id = $1`,
    [uuid],
  );
  await site.run(uplinkJob, { server_id: uuid });
  assert.equal((await site.machine(uuid)).uplink, 50);
});

test('shrinking in many steps gives back what one step does, also of what was bought with a discount', async () => {
  const back: bigint[] = [];
  for (const steps of [[1], [13, 9, 6, 4, 2, 1]]) {
    const { who, uuid, token } = await ordered({ cores: 16, memory: 16_384, discount_code: 'HALF' });
    pass(15.5);
    const before = await site.balanceOf(who);
    for (const cores of steps)
      await site.changed('server/resize', { uuid, cores, memory: 1024 * cores }, token);
    back.push((await site.balanceOf(who)) - before);
  }
  // 30.00 less of 56.00, which were paid by half, for half of the term.
  assert.equal(back[0], 750n);
  assert.ok(
    back.every((gross) => gross <= 750n && gross > 740n),
    String(back),
  );
});

test('whoever made a server smaller and withdraws pays for the time that they had it, at what it cost then', async () => {
  const { who, uuid, token } = await ordered({ cores: 16 });
  pass(6.2);
  await site.changed('server/resize', { uuid, cores: 1 }, token);
  pass(12.4);
  await site.begin('server/cancel', { uuid, mode: 'withdraw', confirm: HOSTNAME }, token);
  // A fifth of the month at 41.00, a fifth at 26.00.
  const paid = 100_000n - (await site.balanceOf(who));
  assert.ok(paid >= 1338n && paid <= 1341n, String(paid));
  await site.work();
});

test('a discount for one package ends with it, one for all servers does not', async () => {
  for (const [code, bound, gross] of [
    ['SMALL', { items: [SERVER_PACKAGE] }, 138],
    ['ALWAYS', {}, 69],
  ] as const) {
    site.clock.set(START);
    await site.data('staff/discount-create', { code, percent: 50, cycles: 0, ...bound }, staff);
    const who = await site.customer(100_000n);
    const { server_uuid: uuid } = await site.order(who, { discount_code: code });
    await site.work();
    const token = who.secret;
    const size = { cores: 16, memory: 65_536, backup_slots: 7 };
    await site.changed('server/resize', { uuid, ...size }, token);
    const { quote } = await site.data('server/renew', { uuid, duration: 1, dry_run: true }, { token });
    assert.equal(quote.gross, gross);
  }
});

test('nothing grows for nothing in steps of less than a cent', async () => {
  const { who, uuid, token } = await ordered({ duration: 1, duration_unit: 'hour' });
  const before = await site.balanceOf(who);
  for (const cores of [2, 3, 4, 5]) await site.changed('server/resize', { uuid, cores }, token);
  assert.equal(await site.balanceOf(who), before - 4n);
});

test('after all of this capacity, addresses and money are as the servers say', async () => {
  assert.deepEqual(await site.stockProblems(), []);
});
