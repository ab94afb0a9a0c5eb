// Slow: 10 s

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openDriver } from '../../../../test/proxmox/driver.ts';
import { openSimulator } from '../../../../test/proxmox/simulator.ts';
import type { WantedMachine } from '../port.ts';

const PROGRAM = fileURLToPath(new URL('../../../../test/proxmox/killed.ts', import.meta.url));
const LEASE_SECONDS = 75;
const simulator = await openSimulator();
const { cluster } = simulator;
const { driver, settings, close } = openDriver(simulator);
after(async () => {
  close();
  await simulator.close();
});

/** Runs a command until it ends or is killed at a point; the points that it came to. */
async function run(
  command: 'make' | 'absent',
  wanted: WantedMachine,
  point: string | null,
): Promise<string[]> {
  const given = JSON.stringify({ settings, now: cluster.now * 1000, wanted, command, point });
  const child = spawn(process.execPath, [PROGRAM, given], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (point === null) assert.equal(code, 0, stderr);
  else assert.equal(signal, 'SIGKILL', `${point}: ${stdout} ${stderr}`);
  await cluster.tasks.idle();
  return stdout.split('\n').filter((line) => line !== '');
}

/** The next run comes after a worker was missed; nobody has the machine for longer. */
async function again(command: 'make' | 'absent', wanted: WantedMachine): Promise<void> {
  cluster.pass(LEASE_SECONDS);
  done(await (command === 'absent' ? driver.ensureAbsent(wanted) : driver.ensureMachine(wanted)));
}

function assertOneMachine(wanted: WantedMachine): void {
  const [machine, ...more] = simulator.machinesOf(wanted.serverId);
  assert.equal(more.length, 0);
  const { vmid, node, process, config } = machine ?? assert.fail('there is no machine');
  assert.equal(node, wanted.node);
  assert.notEqual(process, null);
  assert.equal(config.name, wanted.hostname);
  assert.match(config.tags ?? '', new RegExp(`\\.${wanted.serverId}\\.${wanted.generation}$`));
  assert.equal(config.net0?.includes('firewall=1'), true);
  assert.deepEqual(simulator.volumes().toSorted(), [
    `disks:vm-${vmid}-disk-0`,
    `local:iso/hostkeep-hostkeep-${vmid}-0.iso`,
  ]);
  assert.equal(simulator.logsIn(wanted, wanted.username, wanted.password ?? ''), true);
}

function assertNothing(wanted: WantedMachine): void {
  assert.deepEqual(simulator.machinesOf(wanted.serverId), []);
  assert.deepEqual(simulator.volumes(), []);
}

// The points themselves, as a run that nothing stops comes to them.
const first = simulator.wanted();
const making = await run('make', first, null);
const reinstalling = await run('make', { ...first, generation: 2 }, null);
const removing = await run('absent', first, null);

test('the points of each command are those that these tests stop at', () => {
  const made = ['clone', 'disk', 'seed', 'firewall', 'commit', 'start'];
  assert.deepEqual(making, made);
  assert.deepEqual(reinstalling, [...made.slice(0, -1), 'stop', 'unseed', 'destroy', 'start']);
  assert.deepEqual(removing, ['stop', 'unseed', 'destroy']);
  assertNothing(first);
});

for (const point of making) {
  test(`kill -9 before "${point}" of making: the next run makes one machine, whose disk stays`, async () => {
    const wanted = simulator.wanted();
    await run('make', wanted, point);
    await again('make', wanted);
    assertOneMachine(wanted);
    simulator.diskOf(wanted).files.add('kept');
    await again('make', wanted);
    assert.equal(simulator.diskOf(wanted).files.has('kept'), true);
    await again('absent', wanted);
    assertNothing(wanted);
  });

  test(`kill -9 before "${point}" of making: it can be removed, and nothing is left`, async () => {
    const wanted = simulator.wanted();
    await run('make', wanted, point);
    await again('absent', wanted);
    assertNothing(wanted);
  });
}

for (const point of reinstalling) {
  test(`kill -9 before "${point}" of a reinstall: the next run finishes it, once (rule G1)`, async () => {
    const wanted = simulator.wanted();
    await again('make', wanted);
    simulator.diskOf(wanted).files.add('old');
    const newer = { ...wanted, generation: 2 };
    await run('make', newer, point);
    await again('make', newer);
    assertOneMachine(newer);
    assert.equal(simulator.diskOf(newer).files.has('old'), false);
    simulator.diskOf(newer).files.add('kept');
    await again('make', newer);
    assert.equal(simulator.diskOf(newer).files.has('kept'), true);
    await again('absent', newer);
    assertNothing(newer);
  });
}

for (const point of removing) {
  test(`kill -9 before "${point}" of removing: the next run leaves nothing`, async () => {
    const wanted = simulator.wanted();
    await again('make', wanted);
    await run('absent', wanted, point);
    await again('absent', wanted);
    assertNothing(wanted);
  });
}
