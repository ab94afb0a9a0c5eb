// Slow: 10 s

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/webserver.ts';
import { freePort, openWebHost, ran } from '../../../../test/web-host.ts';

const host = await openWebHost();
after(host.close);
const PASSWORD = 'correct horse battery';
const SECRET = 'nobody else may read this';

async function customer() {
  const site = host.wanted({ password: PASSWORD });
  done(await host.driver.ensureSite(site));
  done(await host.driver.ensureDatabase(site, `${site.username}_db`, PASSWORD));
  host.put(site, 'htdocs/secret.txt', SECRET);
  host.put(site, 'htdocs/index.php', '<?php echo "page";');
  const hostname = site.hostnames[0]?.hostname ?? '';
  const { body } = await host.curl(hostname, '/index.php');
  assert.equal(body, 'page');
  const sql = "CREATE TABLE secrets (t text); INSERT INTO secrets VALUES ('nobody else may read this')";
  assert.equal(host.sql(`${site.username}_db`, PASSWORD, sql).code, 0);
  return { ...site, hostname };
}
const [mallory, alice] = [await customer(), await customer()];
// As careless as a customer can be: this must not open her files to anybody.
ran(['chmod', '-R', '0777', `${host.settings.sites}/${alice.username}/htdocs`]);

test('a program of one customer reads nothing of another, however it tries', async () => {
  const probe = readFileSync(new URL('./fixtures/probe.php', import.meta.url), 'utf8');
  host.put(mallory, 'htdocs/probe.php', probe);
  const base = `${host.settings.sites}/${mallory.username}/htdocs`;
  ran([
    'setpriv',
    '--reuid',
    mallory.username,
    '--clear-groups',
    '--regid',
    mallory.username,
    'ln',
    '-s',
    `${host.settings.sites}/${alice.username}/htdocs/secret.txt`,
    `${base}/link.txt`,
  ]);
  const pid = ran(['pgrep', '-o', '-U', String(alice.uid)]).stdout.trim();
  assert.match(pid, /^\d+$/);
  const query = new URLSearchParams({
    other: alice.username,
    pid,
    socket: `${host.settings.run}/${alice.username}/fpm/php.sock`,
    port: String(host.settings.sftpPort),
    user: `${mallory.username}_db`,
    password: PASSWORD,
    db: String(host.settings.mariadb.port),
  });
  const { status, body } = await host.curl(mallory.hostname, `/probe.php?${query}`);
  assert.equal(status, 200, body);
  const came = new Map(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const expected =
    readFileSync(new URL('./fixtures/probe.php', import.meta.url), 'utf8').match(/^ {2}'\w+' =>/gm) ?? [];
  assert.equal(came.size, expected.length, body);
  for (const [name, text] of came) {
    assert.ok(!text.includes(SECRET), `${name} read the secret`);
    if (name === 'database') {
      assert.ok(text.includes(`${mallory.username}_db`), `its own database is there, not ${text}`);
      assert.ok(!text.includes(alice.username), 'the other is not even listed');
    } else if (name === 'processes') {
      assert.ok(!text.split(' ').includes(pid), 'processes of others are not there');
    } else if (name === 'glob') {
      assert.ok(!text.includes(alice.username), 'directories of others are not there');
    } else assert.ok(['', 'false', 'NULL'].includes(text), `${name} came to ${text.slice(0, 200)}`);
  }
});

test("without PHP's own fences, the system's hold: another user is shut out of files, sockets and processes", () => {
  const as = ['setpriv', '--reuid', mallory.username, '--regid', mallory.username, '--clear-groups'];
  const other = `${host.settings.sites}/${alice.username}`;
  for (const argv of [
    ['cat', `${other}/htdocs/secret.txt`],
    ['ls', other],
    ['cat', `${host.settings.etc}/sites/${alice.webspaceId}.json`],
    ['ls', `${host.settings.run}/${alice.username}/fpm`],
    // Where root mounts what is the user's own: nothing of it may be theirs to replace.
    ['rmdir', `${host.settings.run}/${mallory.username}/base`],
    ['touch', `${host.settings.run}/${mallory.username}/made`],
    ['touch', `${host.settings.sites}/${mallory.username}/made`],
    ['cat', `${host.settings.log}/${alice.username}/access.log`],
    ['cat', `${host.settings.etc}/sshd/host_ed25519`],
  ]) {
    assert.notEqual(ran([...as, ...argv]).code, 0, argv.join(' '));
  }
});

test('nginx follows no link to a file of somebody else, and no path out of the site', async () => {
  for (const path of [
    '/link.txt',
    `/../../${alice.username}/htdocs/secret.txt`,
    `/..%2f..%2f${alice.username}/htdocs/secret.txt`,
  ]) {
    const { status, body } = await host.curl(mallory.hostname, path, ['--path-as-is']);
    assert.ok([400, 403, 404].includes(status) || body === 'page', `${path} came to ${status}`);
    assert.ok(!body.includes(SECRET), path);
  }
  const own = await host.curl(alice.hostname, '/secret.txt');
  assert.equal(own.body, SECRET);
});

test('SFTP leads nowhere but to the own site', () => {
  const { username } = mallory;
  for (const batch of [
    `get ../../../${alice.username}/htdocs/secret.txt /dev/null`,
    `get ${host.settings.sites}/${alice.username}/htdocs/secret.txt /dev/null`,
    'get /etc/passwd /dev/null',
    'get link.txt /dev/null',
    'put /etc/hostname /above.txt',
    'mkdir /above',
    'rm /htdocs/../../../etc/passwd',
  ]) {
    assert.notEqual(host.sftp(username, PASSWORD, `${batch}\n`).code, 0, batch);
  }
  const list = host.sftp(username, PASSWORD, 'cd ../../../..\nls -1\n');
  assert.deepEqual(
    list.stdout
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('sftp>'))
      .toSorted(),
    ['htdocs', 'private', 'tmp'],
  );
});

test('no shell, no command and no tunnel comes with SFTP', () => {
  const ssh = (more: readonly string[]) =>
    ran(
      [
        ...['sshpass', '-e', 'ssh', '-p', String(host.settings.sftpPort), '-o', 'StrictHostKeyChecking=no'],
        ...['-o', 'UserKnownHostsFile=/dev/null', '-o', 'PubkeyAuthentication=no', ...more],
      ],
      { env: { SSHPASS: PASSWORD }, input: '' },
    );
  assert.ok(!ssh([`${mallory.username}@127.0.0.1`, 'id']).stdout.includes('uid='));
  const port = String(host.settings.mariadb.port);
  assert.equal(ssh(['-W', `127.0.0.1:${port}`, `${mallory.username}@127.0.0.1`]).stdout, '');
});

test('over quota a write fails, the status says so, and the neighbour writes on', async () => {
  const fill =
    '<?php echo file_put_contents("full.bin", str_repeat("x", 60 * 1024 * 1024)) === false ? "no" : filesize("full.bin");';
  host.put(mallory, 'htdocs/fill.php', fill.replace('60 * 1024 * 1024', '20 * 1024 * 1024'));
  await host.curl(mallory.hostname, '/fill.php');
  const big = ran(['head', '-c', String(40 * 1024 * 1024), '/dev/urandom']);
  assert.equal(big.code, 0);
  const file = `${host.directory}/big.bin`;
  ran(['sh', '-c', 'head -c 41943040 /dev/urandom >"$1"', 'sh', file]);
  assert.notEqual(host.sftp(mallory.username, PASSWORD, `put ${file} big.bin\n`).code, 0);
  ran(['sync', '-f', host.settings.sites]);
  const status = await host.driver.status(mallory, 10_000);
  assert.ok(status !== null && status.diskUsedMib >= mallory.diskMib - 1, JSON.stringify(status));
  assert.equal(host.sftp(alice.username, PASSWORD, 'put /etc/hostname fine.txt\n').code, 0);
  assert.equal((await host.curl(mallory.hostname, '/index.php')).body, 'page');
});

test('what the host refuses is refused at once: the rules are about users of sites, and the kernel is none', async () => {
  const REFUSED = 7; // of curl; a time-out is 28
  const port = await freePort();
  assert.equal(ran(['curl', '-sS', '-m', '3', `http://127.0.0.1:${port}/`]).code, REFUSED);
});

test("the page of a suspended site is the provider's: 503, and kept by no cache", async () => {
  done(await host.driver.ensureSuspended(mallory));
  for (const path of ['/', '/index.php', '/secret.txt', '/suspended.html']) {
    const { status, head, body } = await host.curl(mallory.hostname, path);
    assert.equal(status, 503, path);
    assert.match(head, /cache-control: no-store/i);
    assert.match(body, /not available/);
  }
  const states = ran(['ps', '-o', 'stat=', '-U', String(mallory.uid)]).stdout.trim();
  assert.ok(
    states.split('\n').every((state) => state === '' || state.startsWith('Z')),
    states,
  );
});
