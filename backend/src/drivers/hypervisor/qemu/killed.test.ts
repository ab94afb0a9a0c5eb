// Slow: 20 s

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { NO_TRACES, tracesOf } from '../../../../test/qemu-traces.ts';
import type { WantedMachine } from '../port.ts';

const PROGRAM = fileURLToPath(new URL('../../../../test/qemu-killed.ts', import.meta.url));
const host = await openQemuNode({ emptyDisks: true });
after(host.close);

/** Runs a command in a process of its own until it ends or is killed at a point; the points that it came to. */
function run(command: 'make' | 'absent', wanted: WantedMachine, point: string | null): string[] {
  const given = JSON.stringify({ settings: host.node.settings, wanted, command, point });
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [PROGRAM, given], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  if (point === null) assert.equal(status, 0, stderr);
  else assert.equal(signal, 'SIGKILL', `${point}: ${stdout} ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

// The run after one that was killed is another process's: this one's.
const make = async (wanted: WantedMachine) => done(await host.driver.ensureMachine(wanted));
const remove = async (wanted: WantedMachine) => done(await host.driver.ensureAbsent(wanted));

const sh = (text: string, ...values: string[]) => host.inNetwork(['sh', '-c', text, 'sh', ...values]).stdout;

function assertOneMachine(wanted: WantedMachine): void {
  const { files, processes, interfaces, rules } = tracesOf(host, wanted.serverId);
  const directory = `./machines/${wanted.serverId}`;
  const { generation } = wanted;
  assert.deepEqual(
    files.filter((path) => !path.startsWith(`${directory}/run`)),
    [
      directory,
      `${directory}/${generation}`,
      `${directory}/${generation}/disk.qcow2`,
      `${directory}/${generation}/machine.json`,
      `${directory}/${generation}/seed.iso`,
    ],
  );
  assert.deepEqual({ processes, interfaces, rules }, { processes: 1, interfaces: 2, rules: true });
}

function assertNothing(wanted: WantedMachine): void {
  assert.deepEqual(tracesOf(host, wanted.serverId), NO_TRACES);
}

const inode = ({ serverId, generation }: WantedMachine) =>
  sh('stat -c %i "$1"', `${host.node.directory(serverId)}/${generation}/disk.qcow2`);

// The points themselves, as a run that nothing stops comes to them.
const first = host.wanted({ serverId: randomUUID() });
const making = run('make', first, null);
const reinstalling = run('make', { ...first, generation: 2 }, null);
const removing = run('absent', first, null);

test('the points of each command are those that these tests stop at', () => {
  assert.deepEqual(making, ['build', 'commit', 'clean', 'port', 'process']);
  assert.deepEqual(reinstalling, ['build', 'stop', 'unplug', 'commit', 'clean', 'port', 'process']);
  assert.deepEqual(removing, ['stop', 'unplug', 'remove']);
  assertNothing(first);
});

for (const point of making) {
  test(`kill -9 before "${point}" of making: the next run makes one machine`, async () => {
    const wanted = host.wanted({ serverId: randomUUID() });
    run('make', wanted, point);
    await make(wanted);
    assertOneMachine(wanted);
    const disk = inode(wanted);
    await make(wanted);
    assert.equal(inode(wanted), disk);
    await remove(wanted);
  });

  test(`kill -9 before "${point}" of making: it can be removed, and nothing is left`, async () => {
    const wanted = host.wanted({ serverId: randomUUID() });
    run('make', wanted, point);
    await remove(wanted);
    assertNothing(wanted);
  });
}

for (const point of reinstalling) {
  test(`kill -9 before "${point}" of a reinstall: the next run finishes it, once (rule G1)`, async () => {
    const wanted = host.wanted({ serverId: randomUUID() });
    await make(wanted);
    const again = { ...wanted, generation: 2 };
    run('make', again, point);
    const isCommitted = ['clean', 'port', 'process'].includes(point);
    const disk = isCommitted ? inode(again) : null;
    await make(again);
    assertOneMachine(again);
    if (disk !== null) assert.equal(inode(again), disk);
    await remove(again);
    assertNothing(again);
  });
}

for (const point of removing) {
  test(`kill -9 before "${point}" of removing: the next run leaves nothing`, async () => {
    const wanted = host.wanted({ serverId: randomUUID() });
    await make(wanted);
    run('absent', wanted, point);
    await remove(wanted);
    assertNothing(wanted);
  });
}
