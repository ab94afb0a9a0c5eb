import type { CommandOutcome } from '../../outcome.ts';
import type { PowerState } from '../port.ts';
import { type Machine, powerOf, Refused } from './machine.ts';
import type { FoundState } from './probe.ts';
import { sizeOfProcess } from './size.ts';

type Outcome = CommandOutcome<{ power: PowerState }>;

const PATIENCE_MS = 8_000;
const LOOK_MS = 200;
const RUNNING: Outcome = { kind: 'done', result: { power: 'running' } };
const STOPPED: Outcome = { kind: 'done', result: { power: 'stopped' } };

/** Asks the system to shut down, and waits a while for it. */
export async function shutDown(machine: Machine): Promise<Outcome> {
  const state = await machine.found();
  const record = await machine.record({ ...state.record, power: 'stopped' }, state.record);
  if (!(await hasShutDown(machine, { ...state, record })))
    return { kind: 'pending', step: 'shutdown', progress: 50 };
  await machine.cut();
  return STOPPED;
}

/**
 * Starts a machine anew, once for each number. That a shutdown is part of a reboot is written down before it begins: a
 * machine that is found off is started again only then.
 */
export async function reboot(machine: Machine, number: number, how: 'graceful' | 'reset'): Promise<Outcome> {
  const state = await machine.found();
  const { record } = state;
  if (record.reboots >= number) return RUNNING;
  if (state.process === null && record.rebooting !== number) throw new Refused('the machine is off');
  const begun = await machine.record(
    { ...record, power: 'running', poweredOff: false, rebooting: number },
    record,
  );
  if (how === 'graceful' && !(await hasShutDown(machine, state)))
    return { kind: 'pending', step: 'shutdown', progress: 50 };
  await startAnew(machine, await machine.found(), how);
  await machine.record({ ...begun, reboots: number, rebooting: null }, begun);
  return RUNNING;
}

async function startAnew(machine: Machine, state: FoundState, how: 'graceful' | 'reset'): Promise<void> {
  const { record } = state;
  if (how === 'reset' && state.process !== null) {
    const { cores, memory } = await sizeOfProcess(machine);
    // With its size unchanged its screen and connections stay.
    if (cores === record.cores && memory === record.memory) {
      await machine.command(async (qmp) => {
        await qmp.execute('system_reset');
        await qmp.execute('cont');
      });
      return;
    }
  }
  await machine.cut();
  await machine.start(record, false);
}

async function hasShutDown(machine: Machine, state: FoundState): Promise<boolean> {
  if (state.process === null) return true;
  // What is paused hears nothing. Pressed again with each call: a system that was still starting did not hear it.
  if ((await powerOf(machine, state)) === 'paused') await machine.command((qmp) => qmp.execute('cont'));
  await machine.command((qmp) => qmp.execute('system_powerdown'));
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const now = await machine.find();
    if (now === null || (await powerOf(machine, now)) === 'stopped') return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}
