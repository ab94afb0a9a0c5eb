import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';
import type { MachineMetrics, MachineStatus } from '../port.ts';
import { agentState } from './agent.ts';
import { type Machine, powerOf } from './machine.ts';
import type { FoundProcess, FoundState } from './probe.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
// Of a shorter time the share of processors would be mostly chance: they are counted in hundredths of a second.
const LEAST_SECONDS = 0.5;

const BlockStats = z.array(
  z.object({
    'node-name': z.string().optional(),
    qdev: z.string().optional(),
    stats: z.object({ rd_bytes: z.number(), wr_bytes: z.number() }),
  }),
);

/** Reads what machines use, and remembers the processor time that it read last. */
export class Meter {
  readonly #read = new Map<string, { readonly process: FoundProcess; readonly cpu: number }>();

  async status(machine: Machine, state: FoundState): Promise<MachineStatus> {
    const { process, record, diskUsedBytes } = state;
    const power = await powerOf(machine, state);
    const diskUsedGib = Math.min(record.disk, Math.ceil(diskUsedBytes / GIB));
    if (process === null || power === 'stopped') return { power, diskUsedGib, ...OFF };
    return {
      power,
      diskUsedGib,
      uptimeSeconds: Math.floor(process.uptimeSeconds),
      cpu: this.#cpu(state, process),
      memoryUsedMib: Math.min(record.memory, Math.ceil(process.memoryBytes / MIB)),
      netInBytes: process.netInBytes ?? 0,
      netOutBytes: process.netOutBytes ?? 0,
      guestAgent: power === 'running' ? await agentState(machine) : null,
    };
  }

  async metrics(machine: Machine, state: FoundState): Promise<MachineMetrics> {
    const { process, record, diskUsedBytes } = state;
    const { serverId } = record;
    const off = { serverId, power: 'stopped' as const, diskUsedBytes, ...NOTHING };
    if (process === null) return off;
    const [power, blocks] = await Promise.all([powerOf(machine, state), blocksOf(machine)]);
    if (power === 'stopped') return off;
    return {
      serverId,
      power,
      diskUsedBytes,
      uptimeSeconds: Math.floor(process.uptimeSeconds),
      cpu: this.#cpu(state, process),
      memoryUsedBytes: Math.min(record.memory * MIB, process.memoryBytes),
      diskReadBytes: blocks?.rd_bytes ?? null,
      diskWrittenBytes: blocks?.wr_bytes ?? null,
      netInBytes: process.netInBytes,
      netOutBytes: process.netOutBytes,
    };
  }

  /** The share since it was read last, or since the start. */
  #cpu({ record }: FoundState, process: FoundProcess): number {
    const last = this.#read.get(record.serverId);
    const since = last?.process.pid === process.pid ? last.process : null;
    const seconds = process.uptimeSeconds - (since?.uptimeSeconds ?? 0);
    if (seconds < LEAST_SECONDS && last !== undefined && since !== null) return last.cpu;
    const used = process.cpuSeconds - (since?.cpuSeconds ?? 0);
    const cpu = Math.min(1, Math.max(0, used / Math.max(seconds, LEAST_SECONDS) / record.cores));
    this.#read.set(record.serverId, { process, cpu });
    return cpu;
  }
}

const OFF = { uptimeSeconds: 0, cpu: 0, memoryUsedMib: 0, netInBytes: 0, netOutBytes: 0, guestAgent: null };
const NOTHING = {
  uptimeSeconds: 0,
  cpu: null,
  memoryUsedBytes: null,
  diskReadBytes: null,
  diskWrittenBytes: null,
  netInBytes: null,
  netOutBytes: null,
};

async function blocksOf(machine: Machine): Promise<{ rd_bytes: number; wr_bytes: number } | null> {
  try {
    const stats = BlockStats.parse(await machine.ask((qmp) => qmp.execute('query-blockstats')));
    return stats.find((one) => one['node-name'] === 'disk')?.stats ?? null;
  } catch (error) {
    if (error instanceof BackendUnavailable) return null;
    throw error;
  }
}
