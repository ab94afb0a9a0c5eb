import { type Machine, powerOf } from './machine.ts';
import { ensureBridge } from './network.ts';
import { Locked, type Node } from './node.ts';
import { probe } from './probe.ts';
import { removeSeed } from './seed-medium.ts';

const DAY_SECONDS = 86_400;
const LOCK_MS = 10_000;

/**
 * What a node needs to run machines; then, of each machine: after a restart of the node it is brought to where it was
 * last told to be, and its seed is removed once it has read it. A machine that ended by itself stays off, and the process
 * of one that its own system switched off is ended.
 */
export async function keepHost(
  node: Node,
  machineOf: (node: Node, serverId: string) => Machine,
): Promise<void> {
  await ensureBridge(node);
  const failures: unknown[] = [];
  const states = await probe(node);
  const powers = await Promise.all(
    states.map((state) => powerOf(machineOf(node, state.record.serverId), state)),
  );
  for (const [at, { record, process, seedAgeSeconds, startedSinceBoot }] of states.entries()) {
    const isDue =
      process === null
        ? record.power !== 'stopped' && !startedSinceBoot
        : seedAgeSeconds !== null || powers[at] === 'stopped';
    if (!isDue) continue;
    await node
      .locked(record.serverId, (locked) => keepMachine(machineOf(locked, record.serverId)), LOCK_MS)
      .catch((error: unknown) => {
        // What a long command works on, a backup say, is looked at again by the next run.
        if (!(error instanceof Locked)) failures.push(error);
      });
  }
  if (failures.length > 0) throw failures[0];
}

async function keepMachine(machine: Machine): Promise<void> {
  await machine.settle();
  // Another may have had the lock meanwhile.
  const state = await machine.find();
  if (state === null) return;
  if (state.process === null) {
    if (state.record.power !== 'stopped' && !state.startedSinceBoot)
      await machine.bring(state, state.record.power);
    return;
  }
  if (state.seedAgeSeconds === null) return;
  const age = Math.min(state.seedAgeSeconds, state.process.uptimeSeconds);
  if (age >= DAY_SECONDS || (await machine.hasStarted())) await removeSeed(machine, state.record);
}
