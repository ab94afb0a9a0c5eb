// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSizedServers } from '../../../test/sized-server.ts';
import backupRestore from '../../business/servers/copies/backup-restore.job.ts';
import scheduleBackups from '../../business/servers/copies/schedule-backups.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers(({ operating_systems }) => {
  const [system] = operating_systems;
  if (system === undefined) throw new Error('a system');
  operating_systems.push({ ...system, name: 'rocky-10', displayname: 'Rocky Linux', username: 'rocky' });
});
const HOSTNAME = 'web.example.com';

const list = (uuid: string, token: string) => site.data('server/backups', { uuid }, { token });

/** Everything that comes of the clock having moved on. */
async function later(time: Temporal.DurationLike): Promise<void> {
  site.clock.set(site.clock.now().add(time));
  await site.run(scheduleBackups);
  await site.work();
}

async function scheduled(keep: number, change: object = {}) {
  const server = await site.ordered(change);
  const { uuid, token } = server;
  await site.begin('server/backup-schedule', { uuid, schedule: { hour: 3, keep } }, token);
  return server;
}

test('a backup takes a slot, and when all are taken there is no further one', async () => {
  const { uuid, token } = await site.ordered();
  for (const name of ['one', 'two']) {
    const { task } = await site.changed('server/backup-create', { uuid, name }, token);
    assert.equal((await site.task(task.uuid, token)).state, 'succeeded');
  }
  const { backups, limit } = await list(uuid, token);
  assert.deepEqual(
    backups.map(({ name, kind, state }: { name: string; kind: string; state: string }) => [
      name,
      kind,
      state,
    ]),
    [
      ['two', 'manual', 'available'],
      ['one', 'manual', 'available'],
    ],
  );
  assert.ok(backups[0].size > 0);
  assert.equal(limit, 2);
  await site.refused('limit_reached', 'server/backup-create', { uuid }, { token });
  await site.changed('server/backup-delete', { uuid, backup_uuid: backups[1].uuid }, token);
  assert.equal((await site.copies(uuid)).length, 1);
  await site.changed('server/backup-create', { uuid }, token);
  assert.equal((await list(uuid, token)).backups.length, 2);
});

test('a restored backup is the disk as it was; the snapshots are gone', async () => {
  const { uuid, token } = await site.ordered();
  await site.writeFile(uuid, 'before');
  const { backup_uuid } = await site.changed('server/backup-create', { uuid }, token);
  await site.writeFile(uuid, 'after');
  await site.changed('server/snapshot-create', { uuid }, token);
  await site.changed('server/backup-restore', { uuid, backup_uuid, confirm: HOSTNAME }, token);
  const { files, power, restores } = await site.machine(uuid);
  assert.deepEqual([files, power, restores.length], [['before'], 'running', 1]);
  assert.deepEqual((await site.data('server/snapshots', { uuid }, { token })).snapshots, []);
  assert.deepEqual(await site.copies(uuid), [{ kind: 'backup', id: backup_uuid }]);
});

test('backups by schedule come once a day, and the oldest goes for the newest', async () => {
  const { uuid, token } = await scheduled(2);
  const seen: string[][] = [];
  for (let day = 0; day < 4; day += 1) {
    await later({ hours: 24 });
    const { backups } = await list(uuid, token);
    seen.push(backups.map((one: { uuid: string }) => one.uuid));
  }
  assert.deepEqual(
    seen.map((of) => of.length),
    [1, 2, 2, 2],
  );
  assert.deepEqual(seen[3]?.slice(1), seen[2]?.slice(0, 1));
  assert.deepEqual((await site.copies(uuid)).map(({ id }) => id).sort(), seen[3]?.toSorted());
});

test('days on which nothing worked are one backup, not several', async () => {
  const { uuid, token } = await scheduled(2);
  await later({ hours: 9 * 24 });
  await later({ minutes: 5 });
  assert.equal((await list(uuid, token)).backups.length, 1);
  const { schedule } = await list(uuid, token);
  assert.ok(schedule.next_at > site.clock.now().toString().replace('T', ' ').slice(0, 19));
});

test('two processes that look at once begin one backup', async () => {
  const { uuid, token } = await scheduled(2);
  site.clock.set(site.clock.now().add({ hours: 24 }));
  await Promise.all([site.run(scheduleBackups), site.run(scheduleBackups)]);
  await site.work();
  assert.equal((await list(uuid, token)).backups.length, 1);
});

test('backups that a customer made keep their slots; without a free one none is made by schedule', async () => {
  const { uuid, token } = await scheduled(2);
  await site.changed('server/backup-create', { uuid, name: 'mine' }, token);
  await later({ hours: 24 });
  await later({ hours: 24 });
  const { backups } = await list(uuid, token);
  assert.deepEqual(
    backups.map((one: { kind: string }) => one.kind),
    ['scheduled', 'manual'],
  );
  await site.changed('server/backup-delete', { uuid, backup_uuid: backups[0].uuid }, token);
  await site.changed('server/backup-create', { uuid, name: 'mine too' }, token);
  await later({ hours: 24 });
  assert.deepEqual(
    (await list(uuid, token)).backups.map((one: { kind: string }) => one.kind),
    ['manual', 'manual'],
  );
});

test('a backup waits for other work on its server', async () => {
  const { uuid, token } = await scheduled(2);
  await site.begin('server/snapshot-create', { uuid }, token);
  const { schedule } = await list(uuid, token);
  site.clock.set(Temporal.Instant.from(`${schedule.next_at.replace(' ', 'T')}Z`).add({ minutes: 1 }));
  await site.run(scheduleBackups);
  assert.equal((await list(uuid, token)).backups.length, 0);
  await site.work();
  await later({ minutes: 5 });
  assert.equal((await list(uuid, token)).backups.length, 1);
});

test('a server that is off is not backed up, and is again once it is on', async () => {
  const { uuid, token } = await scheduled(2);
  await site.pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await later({ hours: 24 });
  await site.pool.pg.query("UPDATE services SET state = 'active' WHERE id = $1", [uuid]);
  assert.equal((await list(uuid, token)).backups.length, 0);
  await later({ hours: 24 });
  assert.equal((await list(uuid, token)).backups.length, 1);
});

test('a backup that fails leaves those that are there', async () => {
  const { uuid, token } = await scheduled(1);
  await later({ hours: 24 });
  const before = await site.copies(uuid);
  await planFault(site.sandbox, { command: 'ensure_backup', fault: 'refuse', serverId: uuid });
  await later({ hours: 24 });
  assert.deepEqual(await site.copies(uuid), before);
  assert.equal((await list(uuid, token)).backups.length, 1);
});

test('the password of a later installation is not shown for a disk from before it', async () => {
  const { uuid, token } = await site.ordered();
  const password = async () => (await site.data('server/config', { uuid }, { token })).config.password;
  const first = await password();
  const { backup_uuid } = await site.changed('server/backup-create', { uuid }, token);
  await site.changed('server/backup-restore', { uuid, backup_uuid, confirm: HOSTNAME }, token);
  assert.equal(await password(), first);
  site.clock.set(site.clock.now().add({ minutes: 1 }));
  await site.changed('server/reinstall', { uuid, os: 'debian-13', confirm: HOSTNAME }, token);
  assert.notEqual(await password(), '');
  await site.changed('server/backup-restore', { uuid, backup_uuid, confirm: HOSTNAME }, token);
  assert.equal(await password(), '');
});

test('a backup from before a reinstallation brings back the system, host name and login of its disk', async () => {
  const { uuid, token } = await site.ordered();
  const installed = async () => {
    const { config, version } = await site.data('server/config', { uuid }, { token });
    const { servers } = await site.data('server/list', {}, { token });
    return { of: [config.os, config.hostname, config.username, servers[0].os, servers[0].hostname], version };
  };
  const before = await installed();
  const { backup_uuid } = await site.changed('server/backup-create', { uuid }, token);
  const input = { uuid, os: 'rocky-10', hostname: 'later.example.com', confirm: HOSTNAME };
  await site.changed('server/reinstall', input, token);
  const later = await installed();
  assert.notDeepEqual(later.of, before.of);
  const restore = { uuid, backup_uuid, confirm: 'later.example.com' };
  await site.changed('server/backup-restore', restore, token);
  assert.deepEqual((await installed()).of, before.of);
  assert.notEqual((await installed()).version, later.version, 'a client that expects the later one is told');
});

test('a backup that does not know what was installed leaves what was installed last', async () => {
  const { uuid, token } = await site.ordered();
  const { backup_uuid } = await site.changed('server/backup-create', { uuid }, token);
  await site.pool.pg.query(
    'UPDATE server_backups SET os = NULL, hostname = NULL, username = NULL WHERE id = $1',
    [backup_uuid],
  );
  const input = { uuid, os: 'debian-13', hostname: 'later.example.com', confirm: HOSTNAME };
  await site.changed('server/reinstall', input, token);
  await site.changed('server/backup-restore', { uuid, backup_uuid, confirm: input.hostname }, token);
  const { config } = await site.data('server/config', { uuid }, { token });
  assert.equal(config.hostname, input.hostname);
});

test('a restore whose answer was lost is done and told although the server is suspended meanwhile', async () => {
  const { uuid, token } = await site.ordered();
  await site.writeFile(uuid, 'before');
  const { backup_uuid } = await site.changed('server/backup-create', { uuid }, token);
  await site.writeFile(uuid, 'after');
  await site.changed('server/snapshot-create', { uuid }, token);
  await planFault(site.sandbox, { command: 'ensure_restored', fault: 'timeout_after', serverId: uuid });
  const restore = { uuid, backup_uuid, confirm: HOSTNAME };
  const { task } = await site.begin('server/backup-restore', restore, token);
  await assert.rejects(site.run(backupRestore, { server_id: uuid }));
  await site.pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await site.work();
  assert.deepEqual((await site.data('server/snapshots', { uuid }, { token })).snapshots, []);
  assert.equal((await site.task(task.uuid, token)).state, 'succeeded');
  const { files, power, restores } = await site.machine(uuid);
  assert.deepEqual([files, power, restores.length], [['before'], 'stopped', 1]);
});

test('a restore that was not begun before its server was suspended loses nothing', async () => {
  const { uuid, token } = await site.ordered();
  const { backup_uuid } = await site.changed('server/backup-create', { uuid }, token);
  await site.writeFile(uuid, 'evidence');
  await site.changed('server/snapshot-create', { uuid }, token);
  const restore = { uuid, backup_uuid, confirm: HOSTNAME };
  const { task } = await site.begin('server/backup-restore', restore, token);
  await site.pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await site.work();
  assert.equal((await site.task(task.uuid, token)).state, 'cancelled');
  assert.deepEqual((await site.machine(uuid)).files, ['evidence']);
  assert.equal((await site.data('server/snapshots', { uuid }, { token })).snapshots.length, 1);
});

test('a schedule keeps no more than there are slots, and ends when it is taken away', async () => {
  const { uuid, token } = await site.ordered();
  const schedule = { hour: 3, weekday: 7, keep: 3 };
  await site.refused('limit_reached', 'server/backup-schedule', { uuid, schedule }, { token });
  const set = await site.begin('server/backup-schedule', { uuid, schedule: { ...schedule, keep: 2 } }, token);
  assert.equal(set.schedule.weekday, 7);
  assert.deepEqual((await list(uuid, token)).schedule, set.schedule);
  await site.begin('server/backup-schedule', { uuid, schedule: null }, token);
  await later({ hours: 8 * 24 });
  assert.equal((await list(uuid, token)).schedule, null);
  assert.equal((await list(uuid, token)).backups.length, 0);
});

test('with its server everything goes that was kept of its disk', async () => {
  const { uuid, token } = await scheduled(1);
  await site.changed('server/backup-create', { uuid }, token);
  await site.changed('server/snapshot-create', { uuid }, token);
  await site.begin('server/cancel', { uuid, mode: 'immediate', confirm: HOSTNAME }, token);
  site.clock.set(site.clock.now().add({ hours: 60 * 24 }));
  await site.live();
  await site.live();
  for (const table of ['server_snapshots', 'server_backups', 'server_backup_schedules']) {
    const { rows } = await site.pool.pg.query(`SELECT FROM ${table} WHERE server_id = $1`, [uuid]);
    assert.equal(rows.length, 0, table);
  }
  assert.deepEqual(await site.copies(uuid), []);
  assert.deepEqual(await site.stockProblems(), []);
});
