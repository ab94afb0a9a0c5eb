import { z } from 'zod';
import type { Parameters } from './api.ts';
import type { Cluster, Vm } from './cluster.ts';
import { type Configuration, configurationOf, textOf } from './configuration.ts';
import { readUnfinished, vmidsOf } from './mark.ts';
import { descriptionOf, type MachineRecord, readRecord } from './record.ts';
import { Refused, UnderWay } from './refusal.ts';

const Settings = z.record(z.string(), z.unknown());
const Current = z.object({
  status: z.enum(['running', 'stopped']),
  qmpstatus: z.string().optional(),
  uptime: z.coerce.number().default(0),
  cpu: z.coerce.number().default(0),
  mem: z.coerce.number().default(0),
  netin: z.coerce.number().default(0),
  netout: z.coerce.number().default(0),
});
export type Current = z.output<typeof Current>;

/** A virtual machine that was found, with its configuration as it was then. */
export class Machine {
  readonly cluster: Cluster;
  readonly vm: Vm;
  readonly configuration: Configuration;

  constructor(cluster: Cluster, vm: Vm, configuration: Configuration) {
    this.cluster = cluster;
    this.vm = vm;
    this.configuration = configuration;
  }

  static async read(cluster: Cluster, vm: Vm): Promise<Machine> {
    return new Machine(cluster, vm, await cluster.get(`/nodes/${vm.node}/qemu/${vm.vmid}/config`, Settings));
  }

  /** Below its node: it may be on another one the next time that it is looked for. */
  path(below: string): string {
    return `/nodes/${this.vm.node}/qemu/${this.vm.vmid}${below}`;
  }

  get record(): MachineRecord {
    const record = readRecord(textOf(this.configuration, 'description'));
    // Somebody changed the description: nothing is to be written over what nobody knows.
    if (record === null)
      throw new Refused(`the description of VM ${this.vm.vmid} is not Hostkeep's any more`);
    return record;
  }

  /** What its next start is to find, unless somebody changed it meanwhile. */
  async configure(options: Parameters): Promise<void> {
    const digest = textOf(this.configuration, 'digest');
    await this.cluster.change('PUT', this.path('/config'), { ...options, digest });
  }

  /** Writes a record, and with it what else is to change. The machine as it is then. */
  async write(record: MachineRecord, options: Parameters = {}): Promise<Machine> {
    await this.configure({ ...options, description: descriptionOf(record) });
    return await Machine.read(this.cluster, this.vm);
  }

  /** Writes everything that a record says of a machine. */
  async writeAll(record: MachineRecord, options: Parameters = {}): Promise<Machine> {
    await this.configure({ ...configurationOf(record, this.cluster.settings), ...options });
    return await Machine.read(this.cluster, this.vm);
  }

  current(): Promise<Current> {
    return this.cluster.get(this.path('/status/current'), Current);
  }

  /** What it runs with now, which changes that wait for its next start leave alone. */
  running(): Promise<Configuration> {
    return this.cluster.get(this.path('/config'), Settings, { current: 1 });
  }
}

export interface Found {
  /** The finished machine of the highest generation. */
  readonly current: Vm | null;
  /** Finished ones that it has replaced. */
  readonly older: readonly Vm[];
  /** Those that somebody began to make, or makes at this moment. */
  readonly unfinished: readonly Machine[];
  /** Every number that is taken. */
  readonly taken: ReadonlySet<number>;
}

/** Looks for a server's machines in the whole cluster, wherever they were moved to. */
export async function findAll(cluster: Cluster, serverId: string): Promise<Found> {
  const vms = await cluster.vms();
  const [current = null, ...older] = vms
    .filter(({ mark }) => mark?.serverId === serverId)
    .toSorted((one, other) => (other.mark?.generation ?? 0) - (one.mark?.generation ?? 0));
  const own = new Set(vmidsOf(serverId, cluster.settings.vmids));
  const unfinished: Machine[] = [];
  for (const vm of vms) {
    if (!own.has(vm.vmid) || vm.mark !== null) continue;
    const machine = await Machine.read(cluster, vm);
    const name = textOf(machine.configuration, 'name');
    // The first thing that there is of a clone is its lock; the name comes with its disks.
    if (textOf(machine.configuration, 'lock') === 'clone' && name === '') throw new UnderWay('qmclone');
    if (readUnfinished(name, cluster.settings.installation)?.serverId === serverId) unfinished.push(machine);
  }
  return { current, older, unfinished, taken: new Set(vms.map(({ vmid }) => vmid)) };
}

/** The machine of a server; null: there is none. */
export async function find(cluster: Cluster, serverId: string): Promise<Machine | null> {
  const vms = (await cluster.vms()).filter(({ mark }) => mark?.serverId === serverId);
  const vm = vms.reduce<Vm | null>(
    (best, one) => ((one.mark?.generation ?? 0) > (best?.mark?.generation ?? -1) ? one : best),
    null,
  );
  return vm === null ? null : await Machine.read(cluster, vm);
}

/** The machine of a server that nothing else works on at this moment. */
export async function found(cluster: Cluster, serverId: string): Promise<Machine> {
  const machine = await find(cluster, serverId);
  if (machine === null) throw new Refused('there is no such machine');
  mustBeFree(machine.vm);
  return machine;
}

/** Locks are of tasks that go on: they come to an end. */
export function mustBeFree({ vmid, lock }: Vm): void {
  if (lock !== undefined && lock !== '') throw new UnderWay(`VM ${vmid} is locked (${lock})`);
}
