import { z } from 'zod';
import type { PowerState, WantedPower } from '../port.ts';
import { textOf } from './configuration.ts';
import { type Current, Machine } from './machine.ts';
import { UnderWay } from './refusal.ts';

const SHUTDOWN_SECONDS = 180;
const Tasks = z.array(z.object({ upid: z.string() }));

export function powerOf({ status, qmpstatus }: Pick<Current, 'status' | 'qmpstatus'>): PowerState {
  if (status === 'stopped') return 'stopped';
  if (qmpstatus === undefined || qmpstatus === 'running') return 'running';
  return ['paused', 'prelaunch', 'io-error', 'suspended'].includes(qmpstatus) ? 'paused' : 'unknown';
}

/** Brings a machine to a power state, in which it is after a restart of its node, too. */
export async function bring(machine: Machine, wanted: WantedPower): Promise<void> {
  const ready = await onBoot(machine, wanted !== 'stopped');
  const power = powerOf(await ready.current());
  if (power === wanted) return;
  if (wanted === 'stopped') return await stop(ready);
  if (power === 'stopped') await start(ready);
  if (wanted === 'paused') await ready.cluster.task('POST', ready.path('/status/suspend'));
  else if (power === 'paused') await ready.cluster.task('POST', ready.path('/status/resume'));
}

export async function start(machine: Machine): Promise<void> {
  machine.cluster.reached('start');
  await machine.cluster.task('POST', machine.path('/status/start'));
}

/** Cuts the power, also of a machine that somebody waits for to shut down. */
export async function stop(machine: Machine): Promise<void> {
  machine.cluster.reached('stop');
  await machine.cluster.task('POST', machine.path('/status/stop'), { 'overrule-shutdown': 1 });
}

/** Asks the system to shut down, once at a time, and waits a while for it. */
export async function shutDown(machine: Machine): Promise<void> {
  const power = powerOf(await machine.current());
  if (power === 'stopped') return;
  const { cluster, vm } = machine;
  const asked = await cluster.get(`/nodes/${vm.node}/tasks`, Tasks, {
    ...{ source: 'active', typefilter: 'qmshutdown', vmid: vm.vmid },
  });
  const [task] = asked;
  if (task !== undefined) return await cluster.follow(task.upid);
  // What is paused hears nothing.
  if (power === 'paused') await cluster.task('POST', machine.path('/status/resume'));
  await cluster.task('POST', machine.path('/status/shutdown'), { timeout: SHUTDOWN_SECONDS, forceStop: 0 });
  if (powerOf(await machine.current()) !== 'stopped') throw new UnderWay('shutdown');
}

export async function onBoot(machine: Machine, isOn: boolean): Promise<Machine> {
  const value = isOn ? '1' : '0';
  if (textOf(machine.configuration, 'onboot') === value) return machine;
  await machine.configure({ onboot: value });
  return await Machine.read(machine.cluster, machine.vm);
}
