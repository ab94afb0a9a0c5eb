// Slow: 105 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../../../../test/browser.ts';
import { Terminal } from '../../../../test/machine-screen.ts';
import { openMachines } from '../../../../test/machines.ts';
import { keepScreenshot } from '../../../../test/screenshot.ts';
import { placesOf, wordsOfProcesses } from '../../../../test/secret-places.ts';
import { until } from '../../../../test/until.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** It counts how often it is run. */
const USER_DATA = '#!/bin/sh\necho run >>/user-data-runs # Vertraulich-5519\n';
const CHOSEN = `Pa5s'"$(id)\`;#: Wort`;

const site = await openMachines({ logLevel: 'trace' });
const { host, harness } = site;
const browser = await openBrowser();
const as = await harness.customer();

const passwords = new Set([CHOSEN]);
/** Secrets among the arguments or in the environment of a process, seen at any time while work was done. */
const overseen = new Set<string>();
function oversee(answer: { password?: string; config?: { password: string } }): void {
  const made = answer.password ?? answer.config?.password;
  if (made !== undefined) passwords.add(made);
  for (const words of wordsOfProcesses())
    for (const secret of [...passwords, USER_DATA])
      if (words.includes(secret)) overseen.add(`${secret} in ${words.slice(0, 80)}`);
}

const ordered = await site.order(as, { backup_slots: 1, user_data: USER_DATA }, oversee);
const { server_uuid: uuid } = ordered;
const reached = site.reached(ordered);
let { password } = ordered.config;

const ask = (path: string, input: object = {}) => harness.data(path, { as, input: { uuid, ...input } });
/** Asks for work on the server, and waits until it is done. */
const change = (path: string, input: object = {}) => site.done(as, path, { uuid, ...input }, oversee);
const attempt = (command: string, given = password) => host.inMachine(reached, given, command);
async function inside(command: string): Promise<string> {
  const { code, stdout, stderr } = await attempt(command);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}
const bootId = () => inside('cat /proc/sys/kernel/random/boot_id');
const pings = (address: string, count = 1) =>
  host.inNetwork(['ping', '-c', String(count), '-W', '5', address]).code === 0;
const terminal = new Terminal(await (await browser.newContext()).newPage(), site.machine(uuid));
const openConsole = async () => await terminal.open((await ask('server/vnc')).link);

const { settings } = host.node;
const places = { database: site.database, logged: harness.logged };
/** Where any password of the machine is to be read, or what its customer's data say. */
async function placesOfSecrets(): Promise<string[]> {
  const directories = [settings.state, site.directory];
  return [
    ...overseen,
    ...(await placesOf([...passwords], { ...places, directories })),
    // A system keeps its user data on its own disk.
    ...(await placesOf([USER_DATA], { ...places, directories: [] })),
  ];
}

test('on the console of an ordered machine the password of server/config logs in; name and addresses are those of the answer', async () => {
  const { config } = await ask('server/config');
  assert.deepEqual(config, ordered.config);
  await openConsole();
  await terminal.logIn(config.username, config.password, '#');
  await terminal.type('clear; hostname; ip -o address show dev eth0; echo Shown-$((40+2))');
  const screen = await terminal.says('Shown-42');
  await keepScreenshot(terminal.page, 'server-machine');
  assert.ok(screen.split('\n').includes(ordered.hostname), screen);
  const [ipv4, ipv6] = site.addressesOf(ordered);
  assert.ok(screen.includes(` inet ${ipv4}/`) && screen.includes(` inet6 ${ipv6}/64 `), screen);
});

test('the host reaches an ordered machine by the IPv4 and the IPv6 of the answer', () => {
  for (const address of site.addressesOf(ordered)) assert.ok(pings(address), address);
});

test('the password and the user data of an ordered machine are nowhere, and its seed is gone once it has started', async () => {
  await site.upkeep('server.ensure_hosts');
  const seeds = host.inNetwork(['find', settings.state, '-name', '*seed*']);
  assert.deepEqual([seeds.code, seeds.stdout], [0, '']);
  assert.deepEqual(await placesOfSecrets(), []);
  harness.installation.log.info({ server: uuid }, 'as if');
  const record = `${host.node.directory(uuid)}/1/machine.json`;
  const found = await placesOf([uuid], { ...places, directories: [record] });
  assert.deepEqual(found, ['processes', record, 'database', 'logs'], 'what is no secret is found everywhere');
});

test('server/rrddata shows the load that was made in the machine', async () => {
  const sample = async () => {
    harness.clock.set(harness.clock.now().add({ minutes: 1 }));
    await site.upkeep('server.sample_metrics');
  };
  await inside('true');
  await sample();
  const burner = await inside('while :; do :; done >/dev/null 2>&1 </dev/null & echo $!');
  await inside('dd if=/dev/zero of=/load bs=65536 count=128 2>/dev/null; sync; rm /load');
  const login = `dbclient -y -y ${reached.username}@${reached.ipv4[0]?.address}`;
  const bothWays = `head -c ${2 * MIB} /dev/urandom | ${login} cat | wc -c`;
  const { stdout } = host.inNetwork(['sh', '-c', bothWays], { DROPBEAR_PASSWORD: password });
  assert.equal(Number(stdout), 2 * MIB);
  // Still under load: whatever samples beside this one sees no idle machine.
  await sample();
  await inside(`kill ${burner}`);
  await sample();
  assert.ok(pings(site.addressesOf(ordered)[0] ?? '', 3), 'meanwhile it has nothing to do');
  await sample();
  harness.clock.set(harness.clock.now().add({ minutes: 1 }));
  const { series, step } = await ask('server/rrddata', { timeframe: 'hour' });
  assert.deepEqual([series.length, step, series[0].cpu], [60, 60, null]);
  const [, load, , idle] = series.slice(-4);
  const said = JSON.stringify(series.slice(-4));
  for (const [metric, bytes] of [
    ['diskwrite', 8 * MIB],
    ['netin', 2 * MIB],
    ['netout', 2 * MIB],
  ] as const) {
    const moved = load[metric] * step;
    assert.ok(moved >= bytes && moved < 1.5 * bytes, `${metric}: ${moved}, ${said}`);
    assert.ok(idle[metric] < load[metric] / 10, `${metric}, ${said}`);
  }
  assert.ok(load.cpu > 3 * idle.cpu && load.cpu <= 1, said);
  assert.ok(load.mem > 0 && load.mem <= load.maxmem && load.maxmem === GIB, said);
});

test('server/power stops, starts, reboots, resets and shuts down', async () => {
  const seen: string[] = [];
  for (const [action, power] of [
    ['stop', 'stopped'],
    ['start', 'running'],
    ['reboot', 'running'],
    ['reset', 'running'],
    ['shutdown', 'stopped'],
    ['start', 'running'],
  ] as const) {
    // Not yet on the disk when the machine goes off: only a system that is asked writes it there.
    if (action === 'shutdown') await inside('echo kept >/unsaved');
    await change('server/power', { action });
    assert.equal((await ask('server/status')).power_state, power, action);
    if (power === 'stopped') assert.ok(!pings(site.addressesOf(ordered)[0] ?? ''), action);
    else seen.push(await bootId());
  }
  assert.equal(new Set(seen).size, seen.length, 'each is a start of its own');
  assert.equal(await inside('cat /unsaved'), 'kept');
});

test('after server/password the new password logs in on the console, and the old one is refused', async () => {
  const changed = await change('server/password');
  assert.deepEqual([changed.method, changed.requires_reboot], ['guest_agent', false]);
  assert.equal((await ask('server/config')).config.password, '');
  await openConsole();
  await terminal.logIn(reached.username, password, 'Login incorrect');
  await terminal.logIn(reached.username, changed.password, '#');
  password = changed.password;
});

test('a password by cloud-init comes with a restart, runs no user data again and keeps the host keys (rule G3)', async () => {
  const hostKey = 'sha256sum </etc/dropbear/dropbear_ed25519_host_key';
  const [before, boot] = [await inside(hostKey), await bootId()];
  const input = { method: 'cloud_init', reboot: true, password: CHOSEN };
  assert.equal((await change('server/password', input)).requires_reboot, true);
  assert.notEqual((await attempt('true')).code, 0, 'the old password');
  password = CHOSEN;
  assert.notEqual(await bootId(), boot);
  assert.equal(await inside(hostKey), before);
  assert.equal(await inside('cat /user-data-runs'), 'run');
});

test('a snapshot and a backup bring back what was on the disk', async () => {
  const write = (name: string) => inside(`echo ${name} >/${name}; sync`);
  const kept = () => inside('cd /; ls | grep -x -e first -e second -e third | xargs');
  await write('first');
  const { snapshot_uuid } = await change('server/snapshot-create', { name: 'first' });
  await write('second');
  const { backup_uuid } = await change('server/backup-create', { name: 'second' });
  await write('third');
  const confirm = ordered.hostname;
  await change('server/snapshot-restore', { snapshot_uuid, confirm });
  assert.equal(await kept(), 'first');
  await change('server/backup-restore', { backup_uuid, confirm });
  assert.equal(await kept(), 'first second');
  assert.deepEqual((await ask('server/snapshots')).snapshots, []);
});

test('a resized machine has its disk at once, and cores and memory after a restart', async () => {
  const resized = await change('server/resize', { cores: 2, memory: 2048, disk: 30 });
  assert.equal(resized.requires_reboot, true);
  assert.equal(Number(await inside('cat /sys/block/vda/size')) * 512, 30 * GIB);
  await change('server/power', { action: 'reboot' });
  assert.equal(await inside('grep -c ^processor /proc/cpuinfo'), '2');
  assert.ok(Number(await inside("sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo")) > 1.8 * MIB);
});

test('a reinstallation leaves no file, and its job, replayed, leaves what was written since (rule G1)', async () => {
  await inside('echo before >/before; sync');
  const input = { os: 'debian-13', confirm: ordered.hostname, hostname: 'new.example.com' };
  const rival = await site.database.connect();
  let replayed = '';
  const began = Promise.withResolvers<void>();
  try {
    // The machine is held until the service is: the job carries its command out, and cannot write that it did.
    await rival.query('BEGIN');
    const replaying = host.node.locked(uuid, () => began.promise);
    const answer = await ask('server/reinstall', input);
    await rival.query('SELECT FROM services WHERE id = $1 FOR UPDATE', [uuid]);
    began.resolve();
    await replaying;
    password = answer.password;
    await until(
      async () => {
        oversee(answer);
        return (await host.driver.list('fra-epyc')).machines[0]?.generation === 2 ? true : null;
      },
      async () => 'it is not installed anew',
    );
    await inside('echo since >/since; sync');
    replayed = answer.task.uuid;
  } finally {
    began.resolve();
    await rival.query('ROLLBACK');
    rival.release();
  }
  const task = async () => (await harness.data('task/details', { as, input: { uuid: replayed } })).task;
  await until(
    async () => ((await task()).state === 'succeeded' ? true : null),
    async () => JSON.stringify(await task()),
  );
  assert.match(
    await harness.metrics(),
    /^hostkeep_jobs_total\{job="server.reinstall",result="retried"\} [1-9]/m,
  );
  assert.equal(await inside('cat /since; ls /before /user-data-runs 2>/dev/null || true'), 'since');
  assert.equal(await inside('hostname'), 'new.example.com');
});

test('no password that the machine ever had is anywhere', async () => {
  await site.upkeep('server.ensure_hosts');
  assert.deepEqual(await placesOfSecrets(), []);
});
