// Slow: 50 s

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { z } from 'zod';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { keptStarts } from '../../../../test/kept-start.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { wordsOfProcesses } from '../../../../test/secret-places.ts';
import { localExecutor } from '../../host/local.ts';
import { QemuHypervisor } from './hypervisor.ts';
import { hashed } from './login.ts';
import { Machine } from './machine.ts';
import { interfaceOf } from './node.ts';

const PASSWORD = `Pa5s'"$(id)\`;#: ${randomBytes(4).toString('hex')}`;
// What a shell, YAML or MIME could take for something else; 64 KiB of it.
const HOSTILE = `#!/bin/sh
touch /user-data-ran
exit 0
--boundary
password: $6$not$this
'"\`$(touch /tmp/owned)\`\\ \u00fc\u4e2d\u{1f600}
`.padEnd(64 * 1024 - 32, 'x');
const KEY = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDVG0bVlH0RLpSt9G0l2fKZ3mC1Ix4CQ2Jd2rQ9bH0lC "it's: {mine}" #1`;

const starts = await keptStarts(localExecutor('qemu'));
const host = await openQemuNode({ executor: starts.executor });
after(async () => {
  await host.close();
  await starts.forget();
});
const wanted = host.wanted({
  serverId: randomUUID(),
  hostname: 'xn--bcher-kva.example.com',
  username: 'debian',
  password: PASSWORD,
  sshKeys: [KEY],
  userData: HOSTILE,
  uplink: 8,
});
done(await host.driver.ensureMachine(wanted));
const inside = async (command: string) => {
  const { code, stdout, stderr } = await host.inMachine(wanted, PASSWORD, command);
  assert.equal(code, 0, stderr);
  return stdout;
};

test('a machine has the host name, addresses, keys and user data that were wanted, exactly', async () => {
  assert.equal(await inside('hostname'), `${wanted.hostname}\n`);
  const addresses = await inside('ip address show eth0');
  assert.ok(addresses.includes(`inet ${wanted.ipv4[0]?.address}/`));
  assert.ok(addresses.includes(`inet6 ${wanted.ipv6[0]?.network.replace('::/64', '::1/64')} `));
  assert.equal(await inside('cat ~/.ssh/authorized_keys'), `${KEY}\n`);
  assert.equal(await inside('cat /var/lib/seed/user-data'), HOSTILE);
  await inside('test -e /user-data-ran && test ! -e /tmp/owned');
});

test('the host reaches a machine by IPv4 and by IPv6', () => {
  for (const address of [wanted.ipv4[0]?.address, wanted.ipv6[0]?.network.replace('::/64', '::1')])
    assert.equal(host.inNetwork(['ping', '-c', '1', '-W', '5', address ?? '']).code, 0, `${address}`);
});

test('what a machine sends and receives is limited to its uplink', () => {
  const bytes = 1024 * 1024;
  // Chance cannot be compressed on the way.
  const chance = `dd if=/dev/urandom bs=1024 count=${bytes / 1024} 2>/dev/null`;
  const login = `dbclient -y -y debian@${wanted.ipv4[0]?.address}`;
  for (const transfer of [`${login} '${chance}' | wc -c`, `${chance} | ${login} 'cat | wc -c'`]) {
    const began = performance.now();
    const { stdout } = host.inNetwork(['sh', '-c', transfer], { DROPBEAR_PASSWORD: PASSWORD });
    const seconds = (performance.now() - began) / 1000;
    assert.equal(Number(stdout), bytes, transfer);
    const mbits = (bytes * 8) / seconds / 1_000_000;
    assert.ok(mbits < wanted.uplink, `${transfer}: ${mbits} Mbit/s`);
  }
});

test('a password is nowhere in clear: not among arguments, not in any file of the node (rule G3)', async () => {
  assert.equal(
    wordsOfProcesses().some((text) => text.includes(PASSWORD)),
    false,
  );
  const { state } = host.node.settings;
  assert.equal(host.inNetwork(['grep', '-rlaF', '--', PASSWORD, state]).stdout, '');
  const hash = await hashed(host.node, PASSWORD);
  assert.match(hash, /^\$6\$/);
});

test('the seed is removed after the first start was reported, and the machine does not see it any more', async () => {
  const seed = `${host.node.directory(wanted.serverId)}/1/seed.iso`;
  assert.equal(host.inNetwork(['test', '-e', seed]).code, 0);
  assert.deepEqual(await host.driver.ensureHost('fra-epyc'), { unreachableNodes: [] });
  assert.notEqual(host.inNetwork(['test', '-e', seed]).code, 0);
  const machine = new Machine(host.node, wanted.serverId, () => {});
  const drives = z.array(z.object({ qdev: z.string(), inserted: z.unknown().optional() }));
  const seen = drives.parse(await machine.ask((qmp) => qmp.execute('query-block')));
  assert.equal(seen.find(({ qdev }) => qdev === 'seed')?.inserted, undefined);
  assert.equal(
    seen.some(({ qdev }) => qdev === 'seed'),
    true,
  );
});

test('after a restart of Hostkeep a machine is found as it runs, with figures of its load', async () => {
  await inside('dd if=/dev/urandom bs=65536 count=64 of=/tmp/load 2>/dev/null; sync');
  const driver = new QemuHypervisor({ hosts: new Map([['fra-epyc', [host.node]]]) });
  const status = await driver.status(wanted, 10_000);
  assert.equal(status?.power, 'running');
  assert.ok((status?.uptimeSeconds ?? 0) > 0);
  const { machines } = await driver.metrics('fra-epyc', 10_000);
  assert.ok((machines[0]?.diskWrittenBytes ?? 0) > 4 * 1024 * 1024);
  assert.ok((machines[0]?.netOutBytes ?? 0) > 1024 * 1024);
  assert.ok((machines[0]?.netInBytes ?? 0) > 1024 * 1024);
  assert.ok((machines[0]?.cpu ?? 0) > 0);
});

test("a machine's guest agent tells its addresses, and sets a password at once, once for each revision", async () => {
  const status = await host.driver.status(wanted, 10_000);
  assert.ok(status?.guestAgent?.addresses.includes(wanted.ipv4[0]?.address ?? ''));
  const { username } = wanted;
  const change = { username, method: 'guest_agent' as const };
  const set = async (password: string, revision: number) =>
    done(await host.driver.ensurePassword(wanted, { ...change, password, revision }));
  assert.deepEqual(await set('an agent set this', 2), { requiresReboot: false });
  assert.deepEqual(await set('this is older', 1), { requiresReboot: false });
  assert.equal((await host.inMachine(wanted, 'an agent set this', 'true')).code, 0);
  assert.notEqual((await host.inMachine(wanted, PASSWORD, 'true')).code, 0);
  await set(PASSWORD, 3);
});

const listed = async () => {
  const { machines } = await host.driver.list('fra-epyc');
  const found = machines.find(({ serverId }) => serverId === wanted.serverId);
  return [found?.power, found?.poweredOff];
};
const processOf = async () => (await new Machine(host.node, wanted.serverId, () => {}).find())?.process;

test('a machine whose system shut itself down stays off, and is told from one whose process was killed', async () => {
  await host.shutDownInside(wanted);
  assert.deepEqual(await listed(), ['stopped', true]);
  assert.deepEqual(
    await host.driver.status(wanted, 10_000).then((seen) => [seen?.power, seen?.uptimeSeconds]),
    ['stopped', 0],
  );
  assert.equal(await host.driver.console(wanted, 10_000), null);
  await host.driver.ensureHost('fra-epyc');
  assert.equal(await processOf(), null, 'nothing of it is left in memory');
  assert.deepEqual(await listed(), ['stopped', true]);
  host.restartNode();
  await host.driver.ensureHost('fra-epyc');
  assert.deepEqual(await listed(), ['stopped', true], 'also after a restart of the node');
  done(await host.driver.ensurePower(wanted, 'running'));
  assert.deepEqual(await listed(), ['running', false]);
  process.kill((await processOf())?.pid ?? Number.NaN, 'SIGKILL');
  while ((await processOf()) !== null) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await listed(), ['stopped', false], 'a crash');
});

test('whatever is done to a machine that its own system switched off finds it off', async () => {
  const [snapshot, backup] = [randomUUID(), randomUUID()];
  const off = async (work: () => Promise<unknown>) => {
    done(await host.driver.ensurePower(wanted, 'running'));
    await host.prompt(wanted);
    await host.shutDownInside(wanted);
    await work();
    assert.equal(await processOf(), null);
  };
  await off(async () => done(await host.driver.ensureShutdown(wanted)));
  await off(async () => {
    done(await host.driver.ensureSnapshot(wanted, snapshot));
    assert.deepEqual(await listed(), ['stopped', true], 'what was done to it did not switch it off');
    done(await host.driver.ensureSnapshotRestored(wanted, snapshot, randomUUID()));
    done(await host.driver.ensureSnapshotAbsent(wanted, snapshot));
  });
  await off(async () => {
    const outcome = await host.driver.ensureRebooted(wanted, 1, 'reset');
    assert.equal(outcome.kind, 'refused');
  });
  await off(async () => {
    done(await host.driver.ensurePower(wanted, 'stopped'));
    assert.deepEqual(await listed(), ['stopped', false], 'told to be off');
    done(await host.driver.ensureBackup(wanted, backup));
  });
});

test('after a restart of the node machines run as they were told to, with network and filter', async () => {
  const stopped = host.wanted({ serverId: randomUUID(), power: 'stopped' });
  const paused = host.wanted({ serverId: randomUUID(), power: 'paused' });
  done(await host.driver.ensurePower(wanted, 'running'));
  done(await host.driver.ensureMachine(stopped));
  done(await host.driver.ensureMachine(paused));
  host.restartNode();
  assert.equal((await host.driver.status(wanted, 10_000))?.power, 'stopped');
  await host.driver.ensureHost('fra-epyc');
  const { machines } = await host.driver.list('fra-epyc');
  const power = new Map(machines.map((one) => [one.serverId, one.power]));
  assert.deepEqual(
    [wanted, stopped, paused].map(({ serverId }) => power.get(serverId)),
    ['running', 'stopped', 'paused'],
  );
  await inside('true');
  const rules = host.inNetwork(['nft', 'list', 'table', 'bridge', host.node.settings.mark]).stdout;
  assert.ok(rules.includes(interfaceOf(wanted.serverId, 'tap')));
});

test('while a long command works on one machine, its node is kept up for all others', async () => {
  const other = host.wanted({ serverId: randomUUID(), power: 'paused' });
  done(await host.driver.ensureMachine(other));
  for (const busy of [wanted, other]) {
    host.restartNode();
    await host.node.locked(busy.serverId, () => host.driver.ensureHost('fra-epyc'));
    const { machines } = await host.driver.list('fra-epyc');
    const isOff = (one: typeof other) =>
      machines.find(({ serverId }) => serverId === one.serverId)?.power === 'stopped';
    assert.deepEqual([wanted, other].filter(isOff), [busy]);
  }
});
