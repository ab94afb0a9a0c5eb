// Slow: 35 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/webserver.ts';
import { freePort, openWebHost, ran, running, until } from '../../../../test/web-host.ts';
import type { WantedSite } from '../port.ts';
import { makeBackup } from './backup.ts';
import { firewallText } from './firewall.ts';
import { Host } from './host.ts';
import { restoreBackup } from './restore.ts';
import { HostSettings } from './settings.ts';
import { readRecord } from './site-record.ts';
import { dayOf, rotateLogs, usageOfHost } from './usage.ts';

const host = await openWebHost();
after(host.close);
const { settings } = host;
const PASSWORD = 'correct horse battery';

async function customer() {
  const site = host.wanted({ password: PASSWORD });
  done(await host.driver.ensureSite(site));
  host.put(site, 'htdocs/index.php', '<?php echo "page";');
  return { ...site, hostname: site.hostnames[0]?.hostname ?? '' };
}
const [mallory, alice] = [await customer(), await customer()];
const as = ({ uid }: Pick<WantedSite, 'uid'>, argv: readonly string[]) =>
  ran(['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', ...argv]);

test("what root and nginx go by is nothing that the site's user could replace", async () => {
  const own = `${settings.run}/${mallory.username}`;
  for (const argv of [
    ['rm', '-f', `${own}/php.pid`],
    ['mkfifo', `${own}/made`],
    ['rm', '-f', `${own}/fpm/php.sock`],
    ['ln', '-sf', `${settings.run}/${alice.username}/fpm/php.sock`, `${own}/fpm/php.sock`],
    ['mv', `${own}/fpm`, `${own}/other`],
    ['touch', `${own}/fpm/made`],
  ])
    assert.notEqual(as(mallory, argv).code, 0, argv.join(' '));
  const owners = ran(['stat', '-c', '%U %a', own, `${own}/php.pid`, `${own}/fpm`, `${own}/fpm/php.sock`]);
  assert.deepEqual(owners.stdout.trim().split('\n'), ['root 755', 'root 644', 'root 710', 'root 666']);
  const found = await host.driver.list('web1');
  assert.ok(found.every(({ runs }) => runs));
  assert.equal((await host.curl(mallory.hostname, '/index.php')).body, 'page');
});

test('a program cannot talk FastCGI to its own PHP, and so set what only the provider sets', async () => {
  const socket = `${settings.run}/${mallory.username}/fpm/php.sock`;
  host.put(
    mallory,
    'htdocs/self.php',
    `<?php var_dump(@stream_socket_client('unix://${socket}', $code, $text, 2));`,
  );
  assert.match((await host.curl(mallory.hostname, '/self.php')).body, /bool\(false\)/);
  assert.notEqual(as(mallory, ['curl', '-s', '--unix-socket', socket, 'http://x/']).code, 52);
  assert.equal(as(mallory, ['test', '-S', socket]).code, 1);
});

test('shared memory and temporary files are the own ones only', async () => {
  const key = 1_000_000 + (process.pid % 1_000_000);
  host.put(
    alice,
    'htdocs/shm.php',
    `<?php $s = shm_attach(${key}, 10000, 0666); shm_put_var($s, 1, 'hers'); echo 'ok';`,
  );
  host.put(mallory, 'htdocs/shm.php', `<?php $s = shm_attach(${key}, 10000); var_dump(@shm_get_var($s, 1));`);
  assert.equal((await host.curl(alice.hostname, '/shm.php')).body, 'ok');
  assert.match((await host.curl(mallory.hostname, '/shm.php')).body, /bool\(false\)/);
  const pid = ran(['cat', `${settings.run}/${mallory.username}/php.pid`]).stdout.trim();
  const mounts = ran(['cat', `/proc/${pid}/mountinfo`]).stdout;
  for (const at of ['/tmp', '/var/tmp', '/dev/shm']) assert.ok(mounts.includes(` ${at} `), at);
});

test("customers see neither each other's names nor each other's keys in the host's configuration", () => {
  for (const argv of [
    ['ls', settings.etc],
    ['ls', `${settings.etc}/keys`],
    ['ls', `${settings.etc}/php`],
    ['ls', settings.run],
    ['ls', settings.log],
    ['cat', `${settings.etc}/keys/${alice.username}`],
    ['cat', `${settings.etc}/php/${alice.username}.conf`],
    ['cat', `${settings.etc}/nginx/sites/${alice.username}.conf`],
  ])
    assert.notEqual(as(mallory, argv).code, 0, argv.join(' '));
});

const backups = `${host.directory}/backups`;
async function recordOf(site: WantedSite) {
  const record = await readRecord(host.host, site);
  assert.ok(record !== null);
  return record;
}

test('stored programs come back and work, and what cannot be read back changes nothing', async () => {
  const name = `${alice.username}_db`;
  done(await host.driver.ensureDatabase(alice, name, PASSWORD));
  const sql = (text: string) => host.sql(name, PASSWORD, text);
  const made = sql(`CREATE TABLE t (n int); CREATE PROCEDURE two() SELECT count(*) + 2 FROM t;
    CREATE VIEW v AS SELECT n * 2 AS d FROM t; CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET NEW.n = NEW.n + 1;
    INSERT INTO t VALUES (6)`);
  assert.equal(made.code, 0, made.stderr);
  const [record, backup] = [await recordOf(alice), randomUUID()];
  await makeBackup(host.host, backups, record, backup);
  for (let times = 0; times < 2; times += 1) {
    assert.equal(sql('DROP PROCEDURE two; DELETE FROM t').code, 0);
    await restoreBackup(host.host, backups, record, backup);
    const back = sql(
      'SELECT n FROM t; SELECT d FROM v; CALL two(); INSERT INTO t VALUES (1); SELECT max(n), min(n) FROM t',
    );
    assert.equal(back.stdout, '7\n14\n3\n7\t2\n', back.stderr);
  }
  appendFileSync(`${backups}/${alice.webspaceId}/${backup}/${name}.sql`, 'THIS IS NO SQL;\n');
  await assert.rejects(restoreBackup(host.host, backups, record, backup));
  assert.equal(sql('SELECT count(*) FROM t').stdout, '2\n');
  assert.equal(ran(['sh', '-c', `ls ${settings.run} | grep restore-`]).stdout, '');
  const left = host.host.run(
    ['mariadb', '--no-defaults', `--socket=${settings.mariadb.socket}`, '--batch', '--skip-column-names'],
    "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE '\\_%'",
  );
  assert.equal(await left, '');
});

test('a dump with the text of a customer reads no file of the host and runs no program', async () => {
  const name = `${alice.username}_loot`;
  done(await host.driver.ensureDatabase(alice, name, PASSWORD));
  assert.equal(host.sql(name, PASSWORD, 'CREATE TABLE loot (t text)').code, 0);
  const [record, backup] = [await recordOf(alice), randomUUID()];
  await makeBackup(host.host, backups, record, backup);
  const [file, secret, made] = [
    `${backups}/${alice.webspaceId}/${backup}/${name}.sql`,
    `${host.directory}/secret`,
    `${settings.sites}/${alice.username}/tmp/made`,
  ];
  writeFileSync(secret, "root's secret\n", { mode: 0o644 });
  for (const text of [`LOAD DATA LOCAL INFILE '${secret}' INTO TABLE loot;`, `\\! touch ${made}`]) {
    appendFileSync(file, `${text}\n`);
    await restoreBackup(host.host, backups, record, backup).catch(() => null);
    assert.equal(host.sql(name, PASSWORD, 'SELECT * FROM loot').stdout, '');
    assert.notEqual(ran(['test', '-e', made]).code, 0);
  }
  rmSync(secret);
});

test('a backup of a busy site is whole, and holes in files cost nothing', { timeout: 240_000 }, async () => {
  const base = `${settings.sites}/${mallory.username}/htdocs`;
  assert.equal(as(mallory, ['truncate', '-s', '8T', `${base}/sparse.bin`]).code, 0);
  const stop = `${base}/stop`;
  const writing = ran([
    'sh',
    '-c',
    `(for n in $(seq 1 300000); do [ ! -e ${stop} ] || exit; echo x >>${base}/busy; done) >/dev/null 2>&1 &`,
  ]);
  assert.equal(writing.code, 0);
  try {
    assert.ok((await makeBackup(host.host, backups, await recordOf(mallory), randomUUID())) < 1_000_000);
  } finally {
    writeFileSync(stop, '');
    as(mallory, ['rm', '-f', `${base}/sparse.bin`]);
  }
  assert.equal(ran(['ls', '-A', settings.sites]).stdout.includes('.backup'), false);
});

test('a backup ends at the quota and at its deadline', { timeout: 240_000 }, async () => {
  const base = `${settings.sites}/${mallory.username}/htdocs`;
  const record = await recordOf(mallory);
  await assert.rejects(makeBackup(host.host, backups, record, randomUUID(), 0.001), {
    name: 'PlanRefused',
    message: /ended with 124/,
  });
  const fill = `head -c 16000000 /dev/urandom >big; for n in 1 2 3 4 5 6 7; do cp --reflink=always big big$n; done`;
  const filled = as(mallory, ['sh', '-euc', `cd ${base}; ${fill}`]);
  assert.equal(filled.code, 0, filled.stderr);
  await assert.rejects(makeBackup(host.host, backups, record, randomUUID()), /more than the quota/);
  as(mallory, ['sh', '-c', `rm -f ${base}/big*`]);
});

test('dumps of databases end somewhat beyond the quota', async () => {
  const site = host.wanted({ diskMib: 2 });
  done(await host.driver.ensureSite(site));
  const name = `${site.username}_big`;
  done(await host.driver.ensureDatabase(site, name, PASSWORD));
  const fill = "CREATE TABLE big (t longtext); INSERT INTO big VALUES (repeat('x', 8000000))";
  assert.equal(host.sql(name, PASSWORD, fill).code, 0);
  const record = await recordOf(site);
  assert.ok((await makeBackup(host.host, backups, record, randomUUID())) > 8_000_000);
  assert.equal(host.sql(name, PASSWORD, 'INSERT INTO big SELECT * FROM big').code, 0);
  await assert.rejects(
    makeBackup(host.host, backups, record, randomUUID()),
    /databases are more than the quota/,
  );
});

test('databases count for the quota: beyond it they grow no more, can be made room in, and grow again', async () => {
  const site = await customer();
  const name = `${site.username}_big`;
  done(await host.driver.ensureDatabase(site, name, PASSWORD));
  const sql = (text: string) => host.sql(name, PASSWORD, text);
  const used = async () =>
    (await usageOfHost(host.host, Temporal.Now.instant())).find(
      ({ webspaceId }) => webspaceId === site.webspaceId,
    )?.diskUsedMib ?? 0;
  const fill = `CREATE TABLE big (t longtext); INSERT INTO big VALUES (repeat('x', 9000000));
    CREATE PROCEDURE more() INSERT INTO big SELECT * FROM big`;
  assert.equal(sql(fill).code, 0);
  const [record, backup] = [await recordOf(site), randomUUID()];
  await makeBackup(host.host, backups, record, backup);
  // From now on its programs run with the rights of the one who restored them.
  await restoreBackup(host.host, backups, record, backup);
  for (let times = 0; times < 2; times += 1) assert.equal(sql('CALL more()').code, 0);
  assert.equal(sql('ANALYZE TABLE big').code, 0);
  assert.ok((await used()) > site.diskMib, 'more than the quota');
  for (const text of ['CALL more()', 'INSERT INTO big VALUES (1)', 'CREATE TABLE other (n int)'])
    assert.match(sql(text).stderr, /denied/, text);
  assert.equal(sql('SELECT count(*) FROM big').stdout, '4\n');
  const status = await host.driver.status(site, 10_000);
  assert.ok((status?.diskUsedMib ?? 0) > site.diskMib);
  assert.equal(sql('DROP TABLE big').code, 0);
  assert.ok((await used()) < site.diskMib);
  assert.equal(sql('CREATE TABLE other (n int); INSERT INTO other VALUES (1)').code, 0);
});

test('however a table hides what it holds, and whichever password is new, a database beyond the quota grows no more', async () => {
  const site = await customer();
  const name = `${site.username}_hidden`;
  done(await host.driver.ensureDatabase(site, name, PASSWORD));
  const sql = (text: string, password = PASSWORD) => host.sql(name, password, text);
  const usage = async () =>
    (await usageOfHost(host.host, Temporal.Now.instant())).find(
      ({ webspaceId }) => webspaceId === site.webspaceId,
    )?.databaseBytes ?? 0;
  const fill = `CREATE TABLE hidden (t longtext) STATS_PERSISTENT=1 STATS_AUTO_RECALC=0;
    INSERT INTO hidden VALUES (repeat('x', 9000000)); INSERT INTO hidden SELECT * FROM hidden;
    INSERT INTO hidden SELECT * FROM hidden`;
  assert.equal(sql(fill).code, 0);
  assert.ok((await usage()) > 36_000_000, String(await usage()));
  assert.match(sql('INSERT INTO hidden VALUES (1)').stderr, /denied/);
  const other = 'another password';
  done(await host.driver.ensureDatabase(site, name, other));
  assert.match(sql('INSERT INTO hidden VALUES (1)', other).stderr, /denied/);
  assert.equal(sql('TRUNCATE hidden', other).code, 0);
  assert.ok((await usage()) < 1_000_000, String(await usage()));
  assert.equal(sql('INSERT INTO hidden VALUES (1)', other).code, 0);
});

test('a site with the longest name that there may be is served, and so are all others', async () => {
  const site = await customer();
  const own = ['a', 'b', 'c'].map((letter) => letter.repeat(63));
  const hostname = [...own, 'd'.repeat(49), 'example.org'].join('.');
  assert.equal(hostname.length, 253);
  const longest = { ...site, hostnames: [...site.hostnames, { hostname, documentRoot: 'htdocs' }] };
  done(await host.driver.ensureSite(longest));
  assert.equal((await host.curl(hostname, '/index.php')).body, 'page');
  const other = await customer();
  assert.equal((await host.curl(other.hostname, '/index.php')).body, 'page');
});

test("the host's own public addresses and the operator's networks are closed to programs of customers", async (t) => {
  // Public, and routed nowhere (RFC 7526).
  const address = `192.88.99.${1 + (process.pid % 250)}`;
  host.undo(`ip address del ${address}/32 dev lo`);
  assert.equal(ran(['ip', 'address', 'add', `${address}/32`, 'dev', 'lo']).code, 0);
  const server = createServer((socket) => socket.end('internal'));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  t.after(() => server.close());
  const listening = server.address();
  assert.ok(typeof listening === 'object' && listening !== null);
  const ask = ['curl', '-s', '-m', '3', '--http0.9', `http://${address}:${listening.port}/`];
  assert.equal((await running(ask)).stdout, 'internal');
  const uid = String(mallory.uid);
  const asked = await running(['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', ...ask]);
  assert.equal(asked.stdout, '');
  assert.equal(asked.code, 7, 'refused at once');
  const closed = HostSettings.parse({ ...settings, closed: ['192.88.99.0/24', '2001:678::/48'] });
  const text = firewallText(new Host(host.host.executor, closed));
  assert.match(text, /ip daddr 192\.88\.99\.0\/24 reject\n {4}ip6 daddr 2001:678::\/48 reject/);
  assert.equal(ran(['nft', '--check', '-f', '-'], { input: text }).code, 0);
});

test('nobody reaches what a program of a customer listens for', async () => {
  // A neighbour with a public address, which is routed nowhere else (RFC 7526).
  const [name, ends] = [`r${settings.mark}`, `192.88.98.${4 * (process.pid % 60)}`];
  const [here, there] = [
    ends.replace(/\d+$/, (at) => String(Number(at) + 1)),
    ends.replace(/\d+$/, (at) => String(Number(at) + 2)),
  ];
  const [link, peer] = [`a${settings.mark}`, `b${settings.mark}`];
  host.undo(`ip netns del ${name}`);
  host.undo(`ip link del ${link}`);
  for (const line of [
    `ip netns add ${name}`,
    `ip link add ${link} type veth peer name ${peer} netns ${name}`,
    `ip address add ${here}/30 dev ${link}`,
    `ip link set ${link} up`,
    `ip -n ${name} address add ${there}/30 dev ${peer}`,
    `ip -n ${name} link set ${peer} up`,
  ])
    assert.equal(ran(line.split(' ')).code, 0, line);
  const port = await freePort();
  const listen = `use IO::Socket::INET; my $s = IO::Socket::INET->new(LocalPort => ${port}, Listen => 9, ReuseAddr => 1) or die;
    $SIG{ALRM} = sub { exit }; alarm 60; while (my $c = $s->accept) { print $c "heard\\n"; close $c }`;
  const asked = () =>
    ran([
      'ip',
      'netns',
      'exec',
      name,
      'perl',
      '-MIO::Socket::INET',
      '-e',
      `my $s = IO::Socket::INET->new(PeerAddr => "${here}:${port}", Timeout => 2) or exit 1; print <$s>`,
    ]);
  const listening = () => ran(['sh', '-c', `ss -Hltn "sport = ${port}" | grep -q LISTEN`]).code === 0;
  const own = spawn('perl', ['-e', listen]);
  await until('it listens', listening);
  assert.equal(asked().stdout, 'heard\n', 'the way there is open');
  own.kill('SIGKILL');
  await until('it has ended', () => !listening());
  const uid = String(mallory.uid);
  const hers = spawn('setpriv', ['--reuid', uid, '--regid', uid, '--clear-groups', 'perl', '-e', listen]);
  await until('it listens', listening);
  assert.equal(asked().stdout, '');
  hers.kill('SIGKILL');
});

test('what a visitor says of themselves neither moves a log nor hides what was sent', async () => {
  const site = await customer();
  host.put(site, 'htdocs/big.bin', 'x'.repeat(100_000));
  const now = Temporal.Now.instant();
  const used = async () =>
    (await usageOfHost(host.host, now)).find(({ webspaceId }) => webspaceId === site.webspaceId)?.days.at(-1);
  const names = () => ran(['ls', `${settings.log}/${site.username}`]).stdout;
  await host.curl(site.hostname, '/nothing', ['-A', '[2000-01-01T', '-u', '[2000-01-01T00:00:00:x']);
  await host.curl(site.hostname, '/big.bin', ['-u', '[2000-01-01T00:00:00 :x']);
  const before = await used();
  assert.ok(
    before !== undefined && before.trafficBytes > 100_000 && before.requests === 2,
    JSON.stringify(before),
  );
  await rotateLogs(host.host, now);
  assert.ok(!names().includes('2000'), names());
  const log = `${settings.log}/${site.username}/access.log-${dayOf(now)}`;
  writeFileSync(log, 'kept\n');
  await rotateLogs(host.host, now.add({ hours: 24 }));
  assert.match(names(), new RegExp(`access.log-${dayOf(now)}\\.1`));
  assert.equal(ran(['cat', log]).stdout, 'kept\n');
  assert.deepEqual(await used(), before);
});

test('a user is never one of a group of the system', async () => {
  const outcome = await host.driver.ensureSite(host.wanted({ username: 'disk' }));
  assert.equal(outcome.kind, 'refused');
  assert.notEqual(ran(['getent', 'passwd', 'disk']).code, 0);
});

test('programs that start others all the time end as well', async () => {
  const site = await customer();
  const beats = `${settings.sites}/${site.username}/tmp/beats`;
  // Each ends by itself after some seconds, whatever becomes of this test.
  const chain = `for (1..3000) { fork and exit; open my $out, '>>', '${beats}'; print $out 'x'; close $out; select undef, undef, undef, 0.002 }`;
  for (let n = 0; n < 4; n += 1)
    as(site, ['sh', '-c', 'setsid perl -e "$1" </dev/null >/dev/null 2>&1 &', 'sh', chain]);
  const beaten = () => Number(ran(['stat', '-c', '%s', beats]).stdout);
  await until('they start others', () => beaten() > 100);
  done(await host.driver.ensureSuspended(site));
  const before = beaten();
  assert.ok(before < 4 * 3000, 'they had not ended by themselves');
  const states = ran(['ps', '-o', 'stat=', '-U', String(site.uid)])
    .stdout.trim()
    .split('\n');
  assert.ok(
    states.every((state) => state === '' || state.startsWith('Z')),
    states.join(),
  );
  // A list of processes misses what forks; what it does shows.
  done(await host.driver.ensureSuspended(site));
  assert.equal(beaten(), before);
});

test('what is sent to a suspended site is answered by its page', async () => {
  const site = await customer();
  done(await host.driver.ensureSuspended(site));
  for (const more of [
    ['-d', 'a=b'],
    ['-X', 'PUT', '-d', 'a'],
    ['-X', 'DELETE'],
  ]) {
    const { status, head, body } = await host.curl(site.hostname, '/form', more);
    assert.equal(status, 503, more.join(' '));
    assert.match(body, /not available/);
    assert.match(head, /content-type: text\/html/i);
  }
});

test('what visitors upload to a site has a quota of its own while it arrives, and breaks nothing of it or of others', async () => {
  const [site, other] = [await customer(), await customer()];
  const received = '<?php echo strlen(file_get_contents("php://input"));';
  for (const one of [site, other]) host.put(one, 'htdocs/upload.php', received);
  const file = `${host.directory}/upload`;
  const uploads = `${settings.sites}/.uploads-${site.username}`;
  const upload = async ({ hostname }: { hostname: string }, mib: number) => {
    ran(['truncate', '-s', `${mib}M`, file]);
    const type = ['-H', 'content-type: application/octet-stream'];
    return await host.curl(hostname, '/upload.php', [...type, '-H', 'expect:', '--data-binary', `@${file}`]);
  };
  const quota = () =>
    ran(['btrfs', 'qgroup', 'show', '-rf', '--raw', uploads]).stdout.trim().split(/\s+/).at(-2);
  assert.equal(Number(quota()), 1024 ** 3);
  assert.equal((await upload(site, 4)).body, String(4 * 1024 * 1024));
  // As if others had filled it.
  ran(['btrfs', 'qgroup', 'limit', '8M', uploads]);
  assert.equal((await upload(site, 12)).status, 500);
  assert.equal((await upload(other, 12)).body, String(12 * 1024 * 1024));
  const full = as(site, [
    'sh',
    '-c',
    `head -c 20M /dev/urandom >${settings.sites}/${site.username}/htdocs/own`,
  ]);
  assert.equal(full.code, 0, 'its own room is its own');
  as(site, ['rm', '-f', `${settings.sites}/${site.username}/htdocs/own`]);
  assert.equal((await upload(site, 4)).body, String(4 * 1024 * 1024), 'nothing is left of it');
  assert.notEqual(as(site, ['ls', uploads]).code, 0);
  // One of before has none.
  ran(['btrfs', 'subvolume', 'delete', uploads]);
  done(await host.driver.ensureSite(site));
  assert.equal(Number(quota()), 1024 ** 3);
  assert.equal((await upload(site, 12)).body, String(12 * 1024 * 1024));
  rmSync(file);
});

test('databases of one site hold together a fifth of the connections that there are, however many they are', async () => {
  const site = await customer();
  const root = async (text: string) =>
    (
      await host.host.run(
        ['mariadb', '--no-defaults', `--socket=${settings.mariadb.socket}`, '--batch', '--skip-column-names'],
        text,
      )
    ).trim();
  const holds = `user LIKE '${site.username}\\_%'`;
  const most = () => root(`SELECT sum(max_user_connections) FROM mysql.user WHERE ${holds}`);
  const held = async () =>
    Number(await root(`SELECT count(*) FROM information_schema.processlist WHERE ${holds}`));
  await root('SET GLOBAL max_connections = 100');
  const first = `${site.username}_a`;
  done(await host.driver.ensureDatabase(site, first, PASSWORD));
  assert.equal(await most(), '20');
  // Held on to, while more databases come.
  const idle = Array.from({ length: 15 }, () =>
    spawn('mariadb', [
      ...['--no-defaults', `--socket=${settings.mariadb.socket}`, `--user=${first}`],
      ...[`--password=${PASSWORD}`, '-e', 'SELECT sleep(600)'],
    ]),
  );
  await until('they do not connect', async () => (await held()) === 15);
  for (const name of ['b', 'c', 'd'])
    done(await host.driver.ensureDatabase(site, `${site.username}_${name}`, PASSWORD));
  assert.equal(await most(), '20');
  await until('they are not ended', async () => (await held()) === 0);
  for (const child of idle) child.kill('SIGKILL');
  done(await host.driver.ensureDatabase(site, first, 'another password'));
  assert.equal(await most(), '20');
  for (const name of ['b', 'c', 'd'])
    done(await host.driver.ensureDatabaseAbsent(site, `${site.username}_${name}`));
  assert.equal(await most(), '20');
  assert.equal(host.sql(first, 'another password', 'SELECT 1').stdout, '1\n');
  await root('SET GLOBAL max_connections = 500');
  done(await host.driver.ensureSite(site));
  assert.equal(await most(), '20', 'one user has no more');
});

test('a site has so many sessions of SFTP and no more, whatever is open of it, and others have theirs', async () => {
  const [site, other] = [await customer(), await customer()];
  const count = () => Number(ran(['sh', '-c', `ps -o pid= -U ${site.uid} | wc -l`]).stdout);
  const most = settings.processes + 20;
  // Room for three sessions, of two processes each.
  const fill = `for (my $n = ${most - 6 - count()}; $n > 1; $n--) { fork or last } sleep 120`;
  const uid = String(site.uid);
  spawn('setpriv', ['--reuid', uid, '--regid', uid, '--clear-groups', 'perl', '-e', fill]);
  await until('they run', () => count() === most - 6);
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'PubkeyAuthentication=no'];
  const ssh = ['ssh', '-p', String(settings.sftpPort), ...options.flatMap((option) => ['-o', option])];
  const sessions = [];
  for (let opened = 1; opened <= 5; opened += 1) {
    const session = spawn('sshpass', ['-e', ...ssh, '-s', `${site.username}@127.0.0.1`, 'sftp'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, SSHPASS: PASSWORD },
    });
    sessions.push(session);
    await until(
      'it is open, or refused',
      () => session.exitCode !== null || count() === most - 6 + 2 * opened,
    );
  }
  assert.deepEqual(
    sessions.map(({ exitCode }) => exitCode === null),
    [true, true, true, false, false],
  );
  assert.ok(count() <= most, `${count()} processes`);
  assert.notEqual(host.sftp(site.username, PASSWORD, 'ls\n').code, 0);
  assert.equal(host.sftp(other.username, PASSWORD, 'ls\n').code, 0);
  assert.equal((await host.curl(site.hostname, '/index.php')).body, 'page');
  for (const { stdin } of sessions) stdin.end();
  as(site, ['perl', '-e', 'kill KILL => -1']);
  await until('they have ended', () => count() === 0);
  assert.equal(host.sftp(site.username, PASSWORD, 'ls\n').code, 0);
});

test('what nginx buffers is not in memory, and one site has not all connections', async () => {
  const text = ran(['cat', `${settings.etc}/nginx/nginx.conf`]).stdout;
  assert.ok(!new RegExp(`_temp_path ${settings.run}`).test(text));
  assert.match(text, /fastcgi_max_temp_file_size 0;/);
  assert.equal(ran(['test', '-d', `${settings.spool}/nginx-body`]).code, 0);
  const sites = ran(['cat', `${settings.etc}/nginx/sites/${mallory.username}.conf`]).stdout;
  assert.match(sites, new RegExp(`set \\$site ${mallory.username};\\s+limit_conn site \\d+;`));
});
