import { z } from 'zod';
import type {
  FoundMachine,
  GuestAgent,
  HostCapacity,
  HostMetrics,
  Inventory,
  MachineMetrics,
  MachineStatus,
} from '../port.ts';
import type { Cluster, Vm } from './cluster.ts';
import type { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { PveRefusal, UnderWay } from './refusal.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const numeric = z.coerce.number();

const Resource = z.object({
  type: z.string(),
  node: z.string().optional(),
  storage: z.string().optional(),
  maxcpu: numeric.optional(),
  maxmem: numeric.optional(),
  maxdisk: numeric.optional(),
  disk: numeric.optional(),
});
const OnNode = z.object({
  vmid: numeric,
  status: z.enum(['running', 'stopped']),
  qmpstatus: z.string().optional(),
  cpus: numeric.default(0),
  maxmem: numeric.default(0),
  maxdisk: numeric.default(0),
});
const OsInfo = z.object({ result: z.looseObject({ 'pretty-name': z.string().optional() }) });
const Interfaces = z.object({
  result: z.array(
    z.object({
      name: z.string(),
      'ip-addresses': z.array(z.object({ 'ip-address': z.string() })).default([]),
    }),
  ),
});

export async function statusOf(machine: Machine): Promise<MachineStatus> {
  const current = await machine.current();
  const power = powerOf(current);
  const isOn = power !== 'stopped';
  return {
    power,
    uptimeSeconds: isOn ? current.uptime : 0,
    cpu: isOn ? share(current.cpu) : 0,
    memoryUsedMib: isOn ? Math.min(machine.record.memory, Math.ceil(current.mem / MIB)) : 0,
    // PVE does not know what a machine's file systems hold.
    diskUsedGib: null,
    netInBytes: isOn ? current.netin : 0,
    netOutBytes: isOn ? current.netout : 0,
    guestAgent: power === 'running' ? await agentOf(machine) : null,
  };
}

async function agentOf(machine: Machine): Promise<GuestAgent | null> {
  try {
    const { result: system } = await machine.cluster.get(machine.path('/agent/get-osinfo'), OsInfo);
    const { result: cards } = await machine.cluster.get(
      machine.path('/agent/network-get-interfaces'),
      Interfaces,
    );
    return {
      osName: system['pretty-name'] ?? null,
      addresses: cards
        .filter(({ name }) => name !== 'lo')
        .flatMap((card) => card['ip-addresses'].map((one) => one['ip-address'])),
    };
  } catch (error) {
    if (error instanceof PveRefusal || error instanceof UnderWay) return null;
    throw error;
  }
}

/** Machines of a host by the node that they are on, the latest generation of each; without nodes that are off. */
async function reachable(cluster: Cluster, host: string): Promise<{ vms: Vm[]; unreachableNodes: string[] }> {
  const [offline, listed] = await Promise.all([cluster.offline(), cluster.vms()]);
  const off = cluster.nodesOf(host).filter((node) => offline.has(node));
  const latest = new Map<string, Vm>();
  for (const vm of listed) {
    if (vm.mark?.host !== host) continue;
    const other = latest.get(vm.mark.serverId);
    if ((other?.mark?.generation ?? -1) < vm.mark.generation) latest.set(vm.mark.serverId, vm);
  }
  const vms = [...latest.values()];
  const left = vms.flatMap(({ node }) => (offline.has(node) ? [node] : []));
  return {
    vms: vms.filter(({ node }) => !offline.has(node)),
    unreachableNodes: [...new Set([...off, ...left])],
  };
}

/** Asks each node itself: what the cluster lists of machines is up to ten seconds old, and silent of pauses. */
export async function inventory(cluster: Cluster, host: string): Promise<Inventory> {
  const { vms, unreachableNodes } = await reachable(cluster, host);
  const nodes = [...new Set(vms.map(({ node }) => node))];
  const asked = await Promise.allSettled(
    nodes.map((node) => cluster.get(`/nodes/${node}/qemu`, z.array(OnNode), { full: 1 })),
  );
  const silent = nodes.filter((_, at) => asked[at]?.status === 'rejected');
  const told = new Map(
    asked.flatMap((one) => (one.status === 'fulfilled' ? one.value.map((vm) => [vm.vmid, vm] as const) : [])),
  );
  const machines = vms.flatMap(({ vmid, node, mark }): FoundMachine[] => {
    const vm = told.get(vmid);
    if (vm === undefined || mark === null) return [];
    const size = { cores: vm.cpus, memory: Math.round(vm.maxmem / MIB), disk: Math.round(vm.maxdisk / GIB) };
    // What stopped it is not told.
    return [{ ...mark, node, ...size, power: powerOf(vm), poweredOff: false }];
  });
  return { machines, unreachableNodes: [...new Set([...unreachableNodes, ...silent])] };
}

/** As `pvestatd` saw them last, at most ten seconds ago: all of a cluster in one call. */
export async function metricsOf(cluster: Cluster, host: string): Promise<HostMetrics> {
  const { vms, unreachableNodes } = await reachable(cluster, host);
  return { machines: vms.map(metricsOfVm), unreachableNodes };
}

function metricsOfVm(vm: Vm): MachineMetrics {
  const serverId = vm.mark?.serverId ?? '';
  const power = vm.status === 'running' || vm.status === 'stopped' ? vm.status : 'unknown';
  const isOn = power === 'running';
  const counted = (value: number | undefined) => (isOn ? (value ?? null) : null);
  return {
    serverId,
    power,
    uptimeSeconds: isOn ? (vm.uptime ?? 0) : 0,
    cpu: isOn && vm.cpu !== undefined ? share(vm.cpu) : null,
    memoryUsedBytes: counted(vm.mem),
    diskUsedBytes: null,
    diskReadBytes: counted(vm.diskread),
    diskWrittenBytes: counted(vm.diskwrite),
    netInBytes: counted(vm.netin),
    netOutBytes: counted(vm.netout),
  };
}

export async function capacityOf(cluster: Cluster, host: string): Promise<HostCapacity> {
  const resources = await cluster.get('/cluster/resources', z.array(Resource));
  const nodes = cluster.nodesOf(host).flatMap((name) => {
    const node = resources.find((one) => one.type === 'node' && one.node === name);
    const { storage } = cluster.settings;
    const store = resources.find(
      (one) => one.type === 'storage' && one.node === name && one.storage === storage,
    );
    if (node?.maxcpu === undefined || store?.maxdisk === undefined) return [];
    return [
      {
        ...{ node: name, cores: node.maxcpu, memory: Math.floor((node.maxmem ?? 0) / MIB) },
        disk: Math.floor(store.maxdisk / GIB),
        diskFree: Math.floor((store.maxdisk - (store.disk ?? 0)) / GIB),
      },
    ];
  });
  const unreachableNodes = cluster.nodesOf(host).filter((name) => !nodes.some(({ node }) => node === name));
  return { nodes, unreachableNodes };
}

function share(cpu: number): number {
  return Math.min(1, Math.max(0, cpu));
}
