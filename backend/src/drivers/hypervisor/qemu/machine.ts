import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';
import type { PowerState, WantedPower } from '../port.ts';
import { writeRecord } from './disk.ts';
import { ensureBridge, ensurePort, removePort } from './network.ts';
import type { Node } from './node.ts';
import { type FoundState, probe } from './probe.ts';
import { startProcess, stopProcess } from './process.ts';
import { Qmp } from './qmp.ts';
import type { MachineRecord } from './record.ts';

/** Where a command can be stopped by a crash: what comes next has not happened. Tests stop at each. */
export type FaultPoint =
  | 'build'
  | 'stop'
  | 'commit'
  | 'clean'
  | 'record'
  | 'port'
  | 'process'
  | 'unplug'
  | 'remove';

/** The command can never be carried out, and nothing was changed. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

const COMMAND_MS = 10_000;
const QUESTION_MS = 2_000;
const RunState = z.object({ status: z.string() });

/** One machine on its node. Its commands are called with the machine's lock held; see {@link Node.locked}. */
export class Machine {
  readonly node: Node;
  readonly serverId: string;
  readonly reached: (point: FaultPoint) => void;

  constructor(node: Node, serverId: string, reached: (point: FaultPoint) => void) {
    this.node = node;
    this.serverId = serverId;
    this.reached = reached;
  }

  /** null: there is none. */
  async find(): Promise<FoundState | null> {
    return (await probe(this.node, this.serverId))[0] ?? null;
  }

  /** As {@link find}; refuses where there is none. */
  async found(): Promise<FoundState> {
    const state = await this.find();
    if (state === null) throw new Refused('there is no such machine');
    return state;
  }

  /** Brings it to a power state, and has its node remember it. */
  async bring(state: FoundState, power: WantedPower): Promise<MachineRecord> {
    const record = await this.record({ ...state.record, power, poweredOff: false }, state.record);
    if (power === 'stopped') await this.cut();
    else if (state.process === null) await this.start(record, power === 'paused');
    else await this.command((qmp) => qmp.execute(power === 'running' ? 'cont' : 'stop'));
    return record;
  }

  /** Ends the process of one that its own system switched off, and has its node remember that: then it is off like others. */
  async settle(): Promise<void> {
    const state = await this.find();
    if (state === null || state.process === null || (await powerOf(this, state)) !== 'stopped') return;
    await this.record({ ...state.record, power: 'stopped', poweredOff: true }, state.record);
    await this.cut();
  }

  /** Writes what is different, so that it is known before it is done. */
  async record(wanted: MachineRecord, before: MachineRecord): Promise<MachineRecord> {
    if (JSON.stringify(wanted) === JSON.stringify(before)) return before;
    this.reached('record');
    await writeRecord(this.node, wanted);
    return wanted;
  }

  async start(record: MachineRecord, paused: boolean): Promise<void> {
    this.reached('port');
    await ensureBridge(this.node);
    await ensurePort(this.node, record);
    this.reached('process');
    const seed = (await this.find())?.seedAgeSeconds !== null;
    await startProcess(this.node, record, { paused, seed });
  }

  /** Cuts the power: process and interface are gone. */
  async cut(): Promise<void> {
    this.reached('stop');
    await stopProcess(this.node, this.serverId);
    this.reached('unplug');
    await removePort(this.node, this.serverId);
  }

  /** Whether the system in it has said that it has started: its seed is not needed any more. */
  async hasStarted(): Promise<boolean> {
    const said = await this.ask((qmp) => qmp.execute('ringbuf-read', { device: 'boot', size: 64 }));
    return typeof said === 'string' && said !== '';
  }

  /** Tells the machine's process to do something. */
  command<T>(work: (qmp: Qmp) => Promise<T>): Promise<T> {
    return Qmp.during(this.#socket('commands'), COMMAND_MS, work);
  }

  /** Asks the machine's process, beside whoever commands it. */
  ask<T>(work: (qmp: Qmp) => Promise<T>): Promise<T> {
    return Qmp.during(this.#socket('questions'), QUESTION_MS, work);
  }

  #socket(name: 'commands' | 'questions') {
    return this.node.executor.connect(`${this.node.run(this.serverId)}/${name}.sock`);
  }
}

/** Whether it runs is known from its process; whether it is paused, or switched itself off, only that can tell. */
export async function powerOf(machine: Machine, { process }: FoundState): Promise<PowerState> {
  if (process === null) return 'stopped';
  try {
    const { status } = RunState.parse(await machine.ask((qmp) => qmp.execute('query-status')));
    if (status === 'running') return 'running';
    if (status === 'shutdown') return 'stopped';
    return status === 'paused' || status === 'prelaunch' || status === 'io-error' ? 'paused' : 'unknown';
  } catch (error) {
    if (error instanceof BackendUnavailable) return 'unknown';
    throw error;
  }
}
