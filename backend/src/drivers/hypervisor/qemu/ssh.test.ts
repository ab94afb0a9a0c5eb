// Slow: 15 s

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openQemuNode, type QemuNode } from '../../../../test/qemu-node.ts';
import { script } from '../../host/executor.ts';
import { type SshTarget, sshExecutor } from '../../host/ssh.ts';
import { QemuHypervisor } from './hypervisor.ts';
import { uploadImage } from './image.ts';
import { Node } from './node.ts';

let directory = '';
let target: SshTarget;
let server: ChildProcess;
let host: QemuNode;

before(async () => {
  // Every directory above the keys must belong to root alone.
  directory = await mkdtemp('/root/hostkeep-ssh-');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  free.close();
  for (const key of ['host', 'client'])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${directory}/${key}`]);
  await mkdir('/run/sshd', { recursive: true });
  await writeFile(`${directory}/authorized`, await readFile(`${directory}/client.pub`));
  await writeFile(
    `${directory}/sshd_config`,
    `ListenAddress 127.0.0.1:${port}
HostKey ${directory}/host
PidFile ${directory}/pid
PermitRootLogin prohibit-password
AuthorizedKeysFile ${directory}/authorized
UsePAM no
`,
  );
  const [type = '', key = ''] = (await readFile(`${directory}/host.pub`, 'utf8')).split(' ');
  await writeFile(`${directory}/known_hosts`, `[127.0.0.1]:${port} ${type} ${key}\n`);
  server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', `${directory}/sshd_config`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // It says that it listens.
  if (server.stderr !== null) await once(server.stderr, 'data');
  target = {
    ...{ host: '127.0.0.1', port, user: 'root', identityFile: `${directory}/client` },
    ...{ knownHostsFile: `${directory}/known_hosts`, controlDirectory: directory },
  };
  host = await openQemuNode({ executor: sshExecutor('qemu', target) });
});
after(async () => {
  await host?.close();
  await sshExecutor('qemu', target).close();
  server.kill();
  await rm(directory, { recursive: true, force: true });
});

test('arguments, input, output and exit codes arrive as they are', async () => {
  const hostile = [`'; touch /tmp/owned; '`, '$(id)', '`id`', '"', '\\', ' a  b ', '*', '\n', '-x', 'ü', ''];
  const { stdout } = await host.node.executor.run(['printf', '%s\\0', ...hostile]);
  assert.deepEqual(stdout.split('\0').slice(0, -1), hostile);
  const { code, stdout: read } = await host.node.executor.run(script('cat; exit 7'), { input: 'a\0b\n' });
  assert.deepEqual([code, read], [7, 'a\0b\n']);
});

test('a machine on another host is made, paused, seen, talked with and removed', async () => {
  const wanted = host.wanted({ serverId: randomUUID(), password: 'correct horse battery' });
  done(await host.driver.ensureMachine(wanted));
  const { stdout } = await host.inMachine(wanted, 'correct horse battery', 'hostname');
  assert.equal(stdout, 'web.example.com\n');
  const console = (await host.driver.console(wanted, 10_000)) ?? assert.fail('no console');
  const [greeting] = await once(console.stream, 'data');
  assert.equal(String(greeting), 'RFB 003.008\n');
  console.stream.destroy();
  done(await host.driver.ensurePower(wanted, 'paused'));
  const { machines, unreachableNodes } = await host.driver.list('fra-epyc');
  assert.deepEqual(
    [machines.map(({ serverId, power }) => ({ serverId, power })), unreachableNodes],
    [[{ serverId: wanted.serverId, power: 'paused' }], []],
  );
  const { machines: metered } = await host.driver.metrics('fra-epyc', 10_000);
  assert.ok((metered[0]?.diskReadBytes ?? 0) > 0);
  done(await host.driver.ensureAbsent(wanted));
  assert.deepEqual((await host.driver.list('fra-epyc')).machines, []);
});

test('an image is sent to a node that is elsewhere', async () => {
  const path = `${directory}/image.qcow2`;
  spawnSync('qemu-img', ['create', '-q', '-f', 'qcow2', path, '64M']);
  const sha256 = spawnSync('sha256sum', [path], { encoding: 'utf8' }).stdout.slice(0, 64);
  assert.equal((await uploadImage(host.node, 'empty', path, sha256)).virtualSize, 64 * 1024 * 1024);
});

test('a node that does not answer is unreachable; machines of the others are still listed', async () => {
  const away = new Node('away', sshExecutor('qemu', { ...target, port: 1 }), host.node.settings);
  const driver = new QemuHypervisor({ hosts: new Map([['fra-epyc', [host.node, away]]]) });
  assert.deepEqual(await driver.list('fra-epyc'), { machines: [], unreachableNodes: ['away'] });
  assert.deepEqual(await driver.ensureHost('fra-epyc'), { unreachableNodes: ['away'] });
});
