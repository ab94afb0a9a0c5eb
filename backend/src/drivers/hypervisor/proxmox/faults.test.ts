import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openDriver } from '../../../../test/proxmox/driver.ts';
import { SimulatedMachine } from '../../../../test/proxmox/machine.ts';
import { openSimulator } from '../../../../test/proxmox/simulator.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type { WantedMachine } from '../port.ts';
import { vmidsOf } from './mark.ts';

const simulator = await openSimulator();
const { cluster, server, token } = simulator;
const one = openDriver(simulator);
const other = openDriver(simulator);
const hasty = openDriver(simulator, { patienceMs: 0 });
const { driver, settings } = one;
after(async () => {
  for (const { close } of [one, other, hasty]) close();
  await simulator.close();
});

const used: WantedMachine[] = [];
afterEach(async () => {
  await cluster.tasks.idle();
  for (const wanted of used.splice(0)) done(await driver.ensureAbsent(wanted));
  assert.deepEqual(simulator.volumes(), [], 'nothing is left in any storage');
});

function wanted(change: Partial<WantedMachine> = {}): WantedMachine {
  const machine = simulator.wanted(change);
  used.push(machine);
  return machine;
}

async function made(change: Partial<WantedMachine> = {}): Promise<WantedMachine> {
  const machine = wanted(change);
  done(await driver.ensureMachine(machine));
  return machine;
}

function theMachine({ serverId }: WantedMachine): SimulatedMachine {
  const [machine, ...more] = simulator.machinesOf(serverId);
  assert.equal(more.length, 0);
  return machine ?? assert.fail('there is no machine');
}

const isPost = (end: string) => (method: string, path: string) => method === 'POST' && path.endsWith(end);
const refused = ({ kind }: CommandOutcome<unknown>) => assert.equal(kind, 'refused');
const pending = ({ kind }: CommandOutcome<unknown>) => assert.equal(kind, 'pending');

/** Asks until the work is done, as a job does. */
async function settled(work: () => Promise<CommandOutcome<unknown>>): Promise<void> {
  let outcome = await work();
  for (; outcome.kind === 'pending'; outcome = await work()) await cluster.tasks.idle();
  done(outcome);
}

test('a clone that takes long is pending; it goes on while nobody waits, and is found by whoever comes next', async () => {
  const machine = wanted();
  const release = cluster.tasks.hold('qmclone');
  pending(await hasty.driver.ensureMachine(machine));
  pending(await hasty.driver.ensureMachine(machine));
  release();
  await cluster.tasks.idle();
  done(await other.driver.ensureMachine(machine));
  assert.equal(server.seen.filter((request) => request.endsWith('/clone')).length, 1);
  theMachine(machine);
});

test('two processes that make one machine at once make one, and a third one finds it done', async () => {
  const machine = wanted();
  await Promise.all([
    settled(() => driver.ensureMachine(machine)),
    settled(() => other.driver.ensureMachine(machine)),
  ]);
  done(await hasty.driver.ensureMachine(machine));
  theMachine(machine);
});

test('a number that somebody takes between the look and the clone is left to them', async () => {
  const machine = wanted();
  const [vmid = 0, next] = vmidsOf(machine.serverId, settings.vmids);
  server.before.push({
    fits: isPost('/clone'),
    work: () => void cluster.machines.set(vmid, new SimulatedMachine(vmid, 'pve2', { name: 'foreign' })),
  });
  await settled(() => driver.ensureMachine(machine));
  assert.equal(theMachine(machine).vmid, next);
  assert.equal(cluster.machines.get(vmid)?.config.name, 'foreign');
  cluster.machines.delete(vmid);
});

test('a clone whose answer was lost is gone on with', async () => {
  const machine = wanted();
  server.losses.push({ fits: isPost('/clone'), when: 'after' });
  await assert.rejects(driver.ensureMachine(machine), BackendUnavailable);
  await settled(() => driver.ensureMachine(machine));
  theMachine(machine);
});

for (const [type, path] of [
  ['imgcopy', '/upload'],
  ['resize', '/resize'],
] as const)
  test(`a lost answer to ${path} leaves one machine and one seed in the end`, async () => {
    const machine = wanted();
    server.losses.push({ fits: (_, at) => at.endsWith(path), when: 'after' });
    await assert.rejects(driver.ensureMachine(machine), BackendUnavailable);
    await cluster.tasks.idle();
    assert.ok(cluster.tasks.all.some((task) => task.type === type));
    cluster.pass(75);
    await settled(() => driver.ensureMachine(machine));
    const { vmid } = theMachine(machine);
    assert.equal(simulator.volumes().filter((volid) => volid.includes(String(vmid))).length, 2);
  });

test('a task that fails for good refuses the machine, and nothing is left of it', async () => {
  for (const [type, reason] of [
    ['qmclone', 'clone failed: no space left on device'],
    ['resize', 'storage does not support resizing'],
    ['imgcopy', 'import failed: No space left on device'],
  ] as const) {
    const machine = wanted();
    cluster.tasks.fail(type, reason);
    const outcome = await driver.ensureMachine(machine);
    assert.deepEqual(outcome, { kind: 'refused', reason });
    assert.deepEqual(simulator.machinesOf(machine.serverId), []);
    assert.deepEqual(simulator.volumes(), []);
  }
});

test('of a task that fails for an unknown reason the outcome is unknown, and the next run goes on', async () => {
  const machine = wanted();
  cluster.tasks.fail('qmstart', 'start failed: QEMU exited with code 1');
  await assert.rejects(driver.ensureMachine(machine), BackendUnavailable);
  done(await driver.ensureMachine(machine));
  assert.notEqual(theMachine(machine).process, null);
});

test('a time-out of a lock in the cluster is no refusal', async () => {
  const machine = await made();
  cluster.tasks.fail('qmstop', `can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout`);
  pending(await driver.ensurePower(machine, 'stopped'));
  done(await driver.ensurePower(machine, 'stopped'));
});

test('parameters that the cluster refuses refuse the machine, and nothing is left', async () => {
  // An underscore is none of a host name as PVE takes them.
  const machine = wanted({ hostname: 'web_1.example.com' });
  const outcome = await driver.ensureMachine(machine);
  refused(outcome);
  assert.match(outcome.kind === 'refused' ? outcome.reason : '', /name: invalid format/);
  assert.deepEqual(simulator.machinesOf(machine.serverId), []);
});

test('orders are refused while the firewall of the cluster is off, and before anything is made', async () => {
  cluster.firewallOptions = { enable: 0 };
  const asked = server.seen.length;
  const outcome = await driver.ensureMachine(wanted());
  cluster.firewallOptions = { enable: 1 };
  assert.deepEqual(outcome, { kind: 'refused', reason: 'the firewall of the cluster is off' });
  assert.ok(server.seen.slice(asked).every((request) => request.startsWith('GET ')));
});

test('an image that is not there, or too large for the disk, is refused before anything is made', async () => {
  refused(await driver.ensureMachine(wanted({ image: 'plan-9' })));
  refused(await driver.ensureMachine(wanted({ disk: 1 })));
});

test("a token that has expired, or may not do something, is nobody's refusal: orders wait", async () => {
  const machine = wanted();
  token.expire = cluster.now;
  await assert.rejects(driver.ensureMachine(machine), BackendUnavailable);
  token.expire = 0;
  token.privileges.delete('VM.Clone');
  await assert.rejects(driver.ensureMachine(machine), BackendUnavailable);
  token.privileges.add('VM.Clone');
  done(await driver.ensureMachine(machine));
});

test('a node that is down: its machines are unknown, those of others are listed, commands wait', async () => {
  const [up, down] = [await made({ node: 'pve1' }), await made({ node: 'pve2' })];
  const [, node] = cluster.nodes;
  Object.assign(node ?? {}, { online: false });
  const { machines, unreachableNodes } = await driver.list('fra-epyc');
  assert.deepEqual(unreachableNodes, ['pve2']);
  assert.deepEqual(
    machines.map(({ serverId }) => serverId),
    [up.serverId],
  );
  assert.deepEqual((await driver.metrics('fra-epyc', 5000)).unreachableNodes, ['pve2']);
  assert.deepEqual((await driver.ensureHost('fra-epyc')).unreachableNodes, ['pve2']);
  assert.deepEqual((await driver.capacity('fra-epyc', 5000)).unreachableNodes, ['pve2']);
  await assert.rejects(driver.ensurePower(down, 'stopped'), BackendUnavailable);
  await assert.rejects(driver.status(down, 5000), BackendUnavailable);
  Object.assign(node ?? {}, { online: true });
  assert.equal((await driver.list('fra-epyc')).machines.length, 2);
});

test('a machine that is moved to another node is waited for, and followed', async () => {
  const machine = await made();
  const simulated = theMachine(machine);
  done(await driver.ensurePower(machine, 'stopped'));
  cluster.pass(86_400);
  Object.assign(simulated.config, { lock: 'migrate' });
  pending(await driver.ensurePower(machine, 'running'));
  delete simulated.config.lock;
  // Just after it was looked for, and before it is started.
  const move = () => {
    simulated.node = 'pve2';
    for (const { volumes } of cluster.storages)
      for (const volume of volumes) if (volume.node !== null) Object.assign(volume, { node: 'pve2' });
  };
  server.before.push({ fits: isPost('/status/start'), work: move });
  pending(await driver.ensurePower(machine, 'running'));
  done(await driver.ensurePower(machine, 'running'));
  const [listed] = (await driver.list('fra-epyc')).machines;
  assert.deepEqual([listed?.node, listed?.power], ['pve2', 'running']);
});

test('while a machine is locked by a backup, a snapshot or a clone of it, commands are pending', async () => {
  const machine = await made();
  for (const lock of ['backup', 'snapshot', 'clone', 'rollback']) {
    Object.assign(theMachine(machine).config, { lock });
    pending(await driver.ensureResized(machine, { cores: 4, memory: 4096, disk: 50, uplink: 500 }));
    pending(await driver.ensureAbsent(machine));
    delete theMachine(machine).config.lock;
  }
});

test('a system that does not listen keeps a shutdown pending, until its power is cut', async () => {
  const machine = await made();
  const { vmid } = theMachine(machine);
  cluster.deaf.add(vmid);
  pending(await driver.ensureShutdown(machine));
  const release = cluster.tasks.hold('qmshutdown');
  pending(await hasty.driver.ensureShutdown(machine));
  pending(await hasty.driver.ensureShutdown(machine));
  assert.equal(
    cluster.tasks.all.filter(({ type, exitstatus }) => type === 'qmshutdown' && exitstatus === null).length,
    1,
  );
  release();
  await cluster.tasks.idle();
  done(await driver.ensurePower(machine, 'stopped'));
});

test('a backup that takes long is pending, is made once, and outlives a reinstall', async () => {
  const machine = await made();
  const [id, restoreId] = [crypto.randomUUID(), crypto.randomUUID()];
  simulator.diskOf(machine).files.add('before');
  const release = cluster.tasks.hold('vzdump');
  pending(await hasty.driver.ensureBackup(machine, id));
  pending(await hasty.driver.ensureBackup(machine, id));
  release();
  await cluster.tasks.idle();
  done(await driver.ensureBackup(machine, id));
  assert.equal(simulator.volumes().filter((volid) => volid.startsWith('backups:')).length, 1);
  const newer = { ...machine, generation: 2, power: 'stopped' as const };
  done(await driver.ensureMachine(newer));
  assert.equal(simulator.diskOf(newer).files.has('before'), false);
  done(await driver.ensureBackupRestored(newer, id, restoreId));
  assert.equal(simulator.diskOf(newer).files.has('before'), true);
  assert.equal((await driver.list('fra-epyc')).machines[0]?.generation, 2);
});

test('a snapshot of before the first start was reported can be put back after its seed is gone', async () => {
  const machine = await made();
  const id = crypto.randomUUID();
  done(await driver.ensureSnapshot(machine, id));
  await driver.ensureHost('fra-epyc');
  done(await driver.ensurePower(machine, 'stopped'));
  done(await driver.ensureSnapshotRestored(machine, id, crypto.randomUUID()));
  done(await driver.ensurePower(machine, 'running'));
});

for (const point of ['seed', 'commit'] as const)
  test(`a password by cloud-init that stopped before "${point}" is set by the next run, and leaves one seed`, async () => {
    const machine = await made();
    const broken = openDriver(simulator, {
      reached(at) {
        if (at === point) throw new Error('the process ended');
      },
    });
    const { username } = machine;
    const change = {
      username,
      password: 'another horse battery',
      revision: 1,
      method: 'cloud_init',
    } as const;
    await assert.rejects(broken.driver.ensurePassword(machine, change), BackendUnavailable);
    broken.close();
    assert.deepEqual(done(await driver.ensurePassword(machine, change)), { requiresReboot: true });
    await cluster.tasks.idle();
    assert.equal(simulator.volumes().filter((volid) => volid.startsWith('local:iso/')).length, 1);
    done(await driver.ensureRebooted(machine, 1, 'graceful'));
    assert.equal(simulator.logsIn(machine, username, 'another horse battery'), true);
  });

test('a machine whose description somebody replaced is left alone', async () => {
  const machine = await made();
  const { config } = theMachine(machine);
  const { description = '' } = config;
  Object.assign(config, { description: 'mine' });
  refused(await driver.ensureResized(machine, { cores: 4, memory: 4096, disk: 50, uplink: 500 }));
  assert.equal(config.cores, '2');
  Object.assign(config, { description });
});
