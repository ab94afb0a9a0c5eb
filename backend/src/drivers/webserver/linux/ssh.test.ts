// Slow: 25 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { done } from '../../../../test/contracts/webserver.ts';
import { openKeeper } from '../../../../test/keeper.ts';
import { freePort, openWebHost, ran, until, type WebHost } from '../../../../test/web-host.ts';
import { script } from '../../host/executor.ts';
import { quoted, type SshTarget, sshExecutor } from '../../host/ssh.ts';
import { BackendUnavailable } from '../../outcome.ts';

const keeper = openKeeper();
let directory = '';
let target: SshTarget;
let host: WebHost;

before(async () => {
  directory = await mkdtemp('/root/hostkeep-ssh-');
  keeper.undo(`rm -rf '${directory}'`);
  keeper.undo(`pkill -f '${directory}/'`);
  const port = await freePort();
  for (const key of ['host', 'client'])
    ran(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', `${directory}/${key}`]);
  ran(['mkdir', '-p', '/run/sshd']);
  await writeFile(`${directory}/authorized`, await readFile(`${directory}/client.pub`));
  await writeFile(
    `${directory}/sshd_config`,
    [
      ...[`ListenAddress 127.0.0.1:${port}`, `HostKey ${directory}/host`, `PidFile ${directory}/pid`],
      ...['PermitRootLogin prohibit-password', `AuthorizedKeysFile ${directory}/authorized`, 'UsePAM no'],
      ...['MaxSessions 100', 'MaxStartups 100'],
      '',
    ].join('\n'),
  );
  const [type = '', blob = ''] = (await readFile(`${directory}/host.pub`, 'utf8')).split(' ');
  await writeFile(`${directory}/known_hosts`, `[127.0.0.1]:${port} ${type} ${blob}\n`);
  spawn('/usr/sbin/sshd', ['-D', '-f', `${directory}/sshd_config`], { stdio: 'ignore' });
  target = {
    host: '127.0.0.1',
    port,
    user: 'root',
    identityFile: `${directory}/client`,
    knownHostsFile: `${directory}/known_hosts`,
    controlDirectory: directory,
  };
  const executor = sshExecutor('web server', target);
  await until('sshd does not start', () => ran(['test', '-s', `${directory}/pid`]).code === 0);
  host = await openWebHost({ executor });
});
after(async () => {
  await host?.close();
  await sshExecutor('web server', target).close();
  await keeper.close();
});

test('arguments arrive as they are, whatever they hold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { minLength: 1, maxLength: 5 }),
      (words) => {
        const given = words.map((word) => word.replaceAll('\0', ''));
        const command = quoted(['printf', '%s\\0', ...given]);
        const { stdout } = ran(['sh', '-c', command]);
        assert.deepEqual(stdout.split('\0').slice(0, -1), given);
      },
    ),
    { numRuns: 50 },
  );
});

test('over SSH, too: arguments, input, output and exit codes arrive as they are', async () => {
  const executor = sshExecutor('web server', target);
  const hostile = [`'; touch /tmp/owned; '`, '$(id)', '`id`', '"', '\\', ' a  b ', '*', '\n', '-x', ''];
  const { stdout } = await executor.run(['printf', '%s\\0', ...hostile]);
  assert.deepEqual(stdout.split('\0').slice(0, -1), hostile);
  const { code, stderr } = await executor.run(script('cat >&2; exit 7'), { input: 'said' });
  assert.deepEqual([code, stderr], [7, 'said']);
});

test('a host that cannot be reached, or has another key, is one that does not answer', async () => {
  const elsewhere = sshExecutor('web server', { ...target, port: await freePort() });
  await assert.rejects(elsewhere.run(['true']), BackendUnavailable);
  const unknown = sshExecutor('web server', {
    ...target,
    knownHostsFile: '/dev/null',
    controlDirectory: '/nowhere',
  });
  await assert.rejects(unknown.run(['true']), BackendUnavailable);
});

test('a site is made, suspended and removed over SSH by the same plans', async () => {
  const site = host.wanted({ password: 'correct horse battery' });
  const hostname = site.hostnames[0]?.hostname ?? '';
  done(await host.driver.ensureSite(site));
  host.put(site, 'htdocs/index.php', '<?php echo "page";');
  assert.equal((await host.curl(hostname)).body, 'page');
  const backup = '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b99';
  done(await host.driver.ensureBackup(site, backup));
  host.put(site, 'htdocs/index.php', '<?php echo "changed";');
  done(await host.driver.ensureRestored(site, backup, backup));
  ran(['touch', `${host.settings.sites}/${site.username}/htdocs/index.php`]);
  assert.equal((await host.curl(hostname, '/index.php')).body, 'page');
  done(await host.driver.ensureSuspended(site));
  assert.equal((await host.curl(hostname)).status, 503);
  done(await host.driver.ensureAbsent(site));
  assert.equal((await host.curl(hostname)).status, 0);
});
