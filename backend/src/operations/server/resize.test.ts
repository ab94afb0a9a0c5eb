// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVER_PACKAGE } from '../../../test/servers.ts';
import { openSizedServers } from '../../../test/sized-server.ts';
import pending from '../../business/selling/orders/pending.job.ts';
import resizeJob from '../../business/servers/changes/resize.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();
const HOSTNAME = 'web.example.com';
const START = site.clock.now();

/** A server at the beginning of a term of exactly 31 days, of which then so many pass. */
async function ordered(daysPassed: number, change: object = {}) {
  site.clock.set(START);
  const server = await site.ordered(change);
  site.clock.set(START.add({ minutes: Math.round(1440 * daysPassed) }));
  return server;
}

async function used(): Promise<{ cores: number; memory: number; disk: number }> {
  const { rows } = await site.pool.pg.query(
    "SELECT cores_used AS cores, memory_used AS memory, disk_used AS disk FROM nodes WHERE name = 'fra-epyc-01'",
  );
  return rows[0];
}

test('growing costs the difference for the rest of the term, from when it is there; renewals cost the new price', async () => {
  const { who, uuid, token } = await ordered(15.5);
  const before = await site.balanceOf(who);
  const input = { uuid, cores: 3, memory: 3072, disk: 30 };
  const { quote, refund } = await site.data('server/resize', { ...input, dry_run: true }, { token });
  // 2 cores, 2 GiB of memory and 10 of disk at 1.00 for half a month.
  assert.deepEqual([quote.gross, quote.in_stock, quote.renewal_gross, refund], [7, true, 40, null]);
  assert.equal(await site.balanceOf(who), before);

  const begun = await site.begin('server/resize', { ...input, quote_uuid: quote.quote_uuid }, token);
  assert.equal(begun.charged.gross, 7);
  assert.equal(begun.requires_reboot, true);
  assert.equal(await site.balanceOf(who), before, 'held, not charged');
  await site.work();
  assert.equal(await site.balanceOf(who), before - 700n);
  const { cores, memory, disk } = await site.machine(uuid);
  assert.deepEqual({ cores, memory, disk }, { cores: 3, memory: 3072, disk: 30 });
  const { config } = await site.data('server/config', { uuid }, { token });
  assert.deepEqual([config.cores, config.memory, config.disk], ['3', '3072', '30']);
  const renewed = await site.data('server/renew', { uuid, duration: 1 }, { token });
  assert.equal(renewed.charged.gross, 40);
  // The same job once more has nothing left to do.
  await site.run(resizeJob, { server_id: uuid });
  assert.equal(await site.balanceOf(who), before - 700n - 4000n);
});

test('shrinking gives the difference back for the rest of the term, once it is done', async () => {
  const { who, uuid, token } = await ordered(15.5, { cores: 5 });
  const [before, room] = [await site.balanceOf(who), await used()];
  const begun = await site.begin('server/resize', { uuid, cores: 1 }, token);
  assert.deepEqual(
    [begun.charged, begun.refund, begun.order_id],
    [null, { amount: 2, currency: 'EUR' }, null],
  );
  assert.equal(await site.balanceOf(who), before);
  await site.work();
  assert.equal(await site.balanceOf(who), before + 200n);
  assert.deepEqual(await used(), { ...room, cores: room.cores - 4 });
  await site.run(resizeJob, { server_id: uuid });
  assert.equal(await site.balanceOf(who), before + 200n);
});

test('growing and shrinking again costs nothing for the time in which it was not larger, and never pays', async () => {
  const { who, uuid, token } = await ordered(0);
  const before = await site.balanceOf(who);
  for (const cores of [9, 1, 9, 1]) await site.changed('server/resize', { uuid, cores }, token);
  const cost = before - (await site.balanceOf(who));
  assert.ok(cost >= 0n && cost <= 4n, `${cost}`);
});

test('once the paid term is over nothing changes its size until it is renewed, so that no time is had for less', async () => {
  const { who, uuid, token } = await ordered(31, { cores: 5 });
  const before = await site.balanceOf(who);
  for (const cores of [1, 9]) {
    for (const dry_run of [true, false]) {
      const body = await site.refused('state_conflict', 'server/resize', { uuid, cores, dry_run }, { token });
      assert.deepEqual([body.current_state, body.expire_at], ['expired', '2027-02-15 12:00:00']);
    }
  }
  await site.data('server/renew', { uuid, duration: 1 }, { token });
  assert.equal(await site.balanceOf(who), before - 3000n);
  await site.changed('server/resize', { uuid, cores: 1 }, token);
  assert.equal(await site.balanceOf(who), before - 3000n + 400n);
});

test('withdrawn from, a server that was enlarged pays back what is unused of both, and no more', async () => {
  const { who, uuid, token } = await ordered(3.1);
  await site.changed('server/resize', { uuid, cores: 11 }, token);
  site.clock.set(START.add({ minutes: 1440 * 6.2 }));
  const before = await site.balanceOf(who);
  const { refund } = await site.begin('server/cancel', { uuid, mode: 'withdraw', confirm: HOSTNAME }, token);
  // Four fifths of 26.00, and 24.8 of 27.9 days of 9.00.
  assert.equal(refund.amount, 28.8);
  assert.equal(await site.balanceOf(who), before + 2880n);
  await site.work();
});

test('a refused change costs nothing, keeps no capacity and leaves the server as it is', async () => {
  const { who, uuid, token } = await ordered(0);
  const [before, room] = [await site.balanceOf(who), await used()];
  await planFault(site.sandbox, { command: 'ensure_resized', fault: 'refuse', serverId: uuid });
  const { task } = await site.begin('server/resize', { uuid, cores: 2, disk: 40 }, token);
  assert.deepEqual(await used(), { ...room, cores: room.cores + 1, disk: room.disk + 20 });
  await site.work();
  assert.equal((await site.task(task.uuid, token)).state, 'failed');
  assert.equal(await site.balanceOf(who), before);
  assert.deepEqual(await used(), room);
  const { rows } = await site.pool.pg.query('SELECT reserved FROM accounts WHERE id = $1', [who.accountId]);
  assert.deepEqual(rows, [{ reserved: 0n }]);
  assert.equal((await site.data('server/config', { uuid }, { token })).config.cores, '1');
});

test('a change whose answer was lost is done and charged once; its order waits for its own job', async () => {
  const { who, uuid, token } = await ordered(0);
  const before = await site.balanceOf(who);
  await planFault(site.sandbox, { command: 'ensure_resized', fault: 'timeout_after', serverId: uuid });
  await site.begin('server/resize', { uuid, cores: 2 }, token);
  await assert.rejects(site.run(resizeJob, { server_id: uuid }));
  const jobs = async () => (await site.queue.query('SELECT key FROM graphile_worker._private_jobs')).rows;
  const waiting = await jobs();
  await site.run(pending);
  assert.deepEqual(await jobs(), waiting);
  await site.work();
  assert.equal(await site.balanceOf(who), before - 100n);
});

test('without room on its node a server does not grow, and nothing is held', async () => {
  const { who, uuid, token } = await ordered(0);
  const { rows } = await site.pool.pg.query(
    "UPDATE nodes SET cores_total = cores_used + 1 WHERE name = 'fra-epyc-01' RETURNING cores_total",
  );
  assert.equal(rows.length, 1);
  const { quote } = await site.data('server/resize', { uuid, cores: 3, dry_run: true }, { token });
  assert.equal(quote.in_stock, false);
  await site.refused('out_of_stock', 'server/resize', { uuid, cores: 3 }, { token });
  await site.changed('server/resize', { uuid, cores: 2 }, token);
  await site.pool.pg.query("UPDATE nodes SET cores_total = 64 WHERE name = 'fra-epyc-01'");
  assert.equal(await site.balanceOf(who), 100_000n - 2600n - 100n);
});

test('of rivals for the last cores one gets them', async () => {
  const servers = [await ordered(0), await ordered(0), await ordered(0)];
  await site.pool.pg.query("UPDATE nodes SET cores_total = cores_used + 1 WHERE name = 'fra-epyc-01'");
  const answers = await Promise.all(
    servers.map(({ uuid, token }) => site.call('server/resize', { uuid, cores: 2 }, { token })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409]);
  await site.work();
  await site.pool.pg.query("UPDATE nodes SET cores_total = 64 WHERE name = 'fra-epyc-01'");
});

test('disks only grow, and not with snapshots (rule G4)', async () => {
  const { uuid, token } = await ordered(0, { disk: 40 });
  const smaller = await site.refused('validation_failed', 'server/resize', { uuid, disk: 30 }, { token });
  assert.equal(smaller.errors[0].pointer, '/disk');
  const { snapshot_uuid } = await site.changed('server/snapshot-create', { uuid }, token);
  await site.refused('snapshots_in_the_way', 'server/resize', { uuid, disk: 50 }, { token });
  await site.changed('server/resize', { uuid, cores: 2 }, token);
  await site.changed('server/snapshot-delete', { uuid, snapshot_uuid }, token);
  await site.changed('server/resize', { uuid, disk: 50 }, token);
  assert.equal((await site.machine(uuid)).disk, 50);
});

test('a server becomes one of a package, and of its own size again', async () => {
  const { uuid, token } = await ordered(0, { backup_slots: 0 });
  await site.changed('server/resize', { uuid, pack_uuid: SERVER_PACKAGE }, token);
  const { memory, disk, uplink } = await site.machine(uuid);
  assert.deepEqual({ memory, disk, uplink }, { memory: 2048, disk: 40, uplink: 1000 });
  const renewal = { uuid, duration: 1, dry_run: true };
  assert.equal((await site.data('server/renew', renewal, { token })).quote.gross, 3.99);
  await site.changed('server/resize', { uuid, cores: 2, backup_slots: 1 }, token);
  // 2 cores, 2 GiB, 40 GiB, ten times 100 Mbit/s, an address and a slot.
  assert.equal((await site.data('server/renew', renewal, { token })).quote.gross, 56);
});

test('slots that backups are in stay', async () => {
  const { uuid, token } = await ordered(0);
  for (const name of ['one', 'two']) await site.changed('server/backup-create', { uuid, name }, token);
  await site.refused('limit_reached', 'server/resize', { uuid, backup_slots: 1 }, { token });
  await site.changed('server/resize', { uuid, backup_slots: 3 }, token);
  assert.equal((await site.data('server/backups', { uuid }, { token })).limit, 3);
});

test('a server that ended while it was being enlarged pays nothing for it, and gives back all of its place', async () => {
  const { who, uuid, token } = await ordered(0);
  await site.begin('server/resize', { uuid, cores: 8 }, token);
  await site.begin('server/cancel', { uuid, mode: 'withdraw', confirm: HOSTNAME }, token);
  await site.work();
  assert.equal(await site.balanceOf(who), 100_000n);
  site.clock.set(START.add({ hours: 24 * 60 }));
  await site.live();
  await site.live();
  assert.deepEqual(await site.stockProblems(), []);
  assert.equal(await site.balanceOf(who), 100_000n);
});

test('what would change nothing, or is not offered, is refused with the field', async () => {
  const { uuid, token } = await ordered(0);
  const pointers = async (input: object) =>
    (await site.refused('validation_failed', 'server/resize', { uuid, ...input }, { token })).errors.map(
      (problem: { pointer: string }) => problem.pointer,
    );
  assert.deepEqual(await pointers({}), ['']);
  assert.deepEqual(await pointers({ cores: 1 }), ['']);
  assert.deepEqual(await pointers({ memory: 1025, cores: 99 }), ['/cores', '/memory']);
  assert.deepEqual(await pointers({ pack_uuid: SERVER_PACKAGE, cores: 2 }), ['/cores']);
  assert.deepEqual(await pointers({ pack_uuid: SERVER_PACKAGE }), ['/pack_uuid']);
  await site.refused('price_changed', 'server/resize', { uuid, cores: 2, max_price: 0.01 }, { token });
});

test('who pays no tax is told what renewals cost them, without it', async () => {
  const { who, uuid, token } = await ordered(0);
  await site.pool.pg.query("UPDATE accounts SET tax_country = 'AT', tax_business = true WHERE id = $1", [
    who.accountId,
  ]);
  const { quote } = await site.data('server/resize', { uuid, cores: 5, dry_run: true }, { token });
  const renewal = await site.changed('server/resize', { uuid, cores: 5 }, token);
  assert.equal(quote.gross, renewal.charged.gross);
  const renewed = await site.data('server/renew', { uuid, duration: 1, dry_run: true }, { token });
  assert.equal(quote.renewal_gross, renewed.quote.gross);
});

test('what is not sold for the term of the service has no price, and is refused rather than given', async () => {
  const { who, uuid, token } = await ordered(0, { backup_slots: 0, duration: 2 });
  const before = await site.balanceOf(who);
  const refused = await site.refused(
    'validation_failed',
    'server/resize',
    { uuid, pack_uuid: SERVER_PACKAGE },
    { token },
  );
  assert.equal(refused.errors[0].pointer, '/pack_uuid');
  assert.equal(await site.balanceOf(who), before);
});

test('after all of this capacity, addresses and money are as the servers say', async () => {
  assert.deepEqual(await site.stockProblems(), []);
});
