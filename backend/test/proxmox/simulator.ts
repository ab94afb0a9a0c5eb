import { randomUUID } from 'node:crypto';
import type { MachineRef, WantedMachine } from '../../src/drivers/hypervisor/port.ts';
import { SimulatedCluster } from './cluster.ts';
import { fits } from './guest.ts';
import { bytesOf, type Disk, SimulatedMachine } from './machine.ts';
import { PveServer, type Token } from './server.ts';

const GIB = bytesOf('1G');
/** What the role of the guide's token may do. */
const PRIVILEGES = [
  ...[
    'VM.Allocate',
    'VM.Audit',
    'VM.Backup',
    'VM.Clone',
    'VM.Config.CDROM',
    'VM.Config.CPU',
    'VM.Config.Cloudinit',
  ],
  ...[
    'VM.Config.Disk',
    'VM.Config.Memory',
    'VM.Config.Network',
    'VM.Config.Options',
    'VM.Console',
    'VM.Migrate',
  ],
  ...['VM.Monitor', 'VM.PowerMgmt', 'VM.Snapshot', 'Datastore.Allocate', 'Datastore.AllocateSpace'],
  ...['Datastore.AllocateTemplate', 'Datastore.Audit', 'SDN.Use', 'Sys.Audit'],
];

export const TEMPLATE = 9000;
/** A medium that the operator has uploaded. */
export const MEDIUM = 'local:iso/debian-13-netinst.iso';

/** A cluster of two nodes with a template, behind a server of its own. */
export interface Simulator {
  readonly url: string;
  readonly server: PveServer;
  readonly cluster: SimulatedCluster;
  readonly token: Token;
  wanted(change?: Partial<WantedMachine>): WantedMachine;
  /** The machines of a server that a cluster has, templates and whatever was left behind included. */
  machinesOf(serverId: string): SimulatedMachine[];
  diskOf(machine: MachineRef): Disk;
  logsIn(machine: MachineRef, username: string, password: string): boolean;
  /** All volumes that are not the template's: `storage:name`. */
  volumes(): string[];
  close(): Promise<void>;
}

export async function openSimulator(): Promise<Simulator> {
  const cluster = new SimulatedCluster();
  for (const name of ['pve1', 'pve2']) cluster.nodes.push({ name, online: true, cpus: 16, memory: 64 * GIB });
  cluster.storages.push(
    { id: 'local', type: 'dir', shared: false, content: ['iso', 'vztmpl'], size: 100 * GIB, volumes: [] },
    { id: 'disks', type: 'nfs', shared: true, content: ['images'], size: 10_000 * GIB, volumes: [] },
    { id: 'backups', type: 'nfs', shared: true, content: ['backup'], size: 10_000 * GIB, volumes: [] },
  );
  const template = new SimulatedMachine(TEMPLATE, 'pve1', {
    ...{ name: 'debian-13', template: '1', boot: 'order=scsi0', scsihw: 'virtio-scsi-single', ostype: 'l26' },
    ...{ scsi0: `disks:base-${TEMPLATE}-disk-0,size=2G`, ide2: 'none,media=cdrom', serial0: 'socket' },
    ...{ net0: 'virtio=BC:24:11:12:34:56,bridge=vmbr0', tags: 'template' },
  });
  cluster.machines.set(TEMPLATE, template);
  const system: Disk = {
    ...{
      files: new Set(),
      instance: null,
      finished: new Set(),
      hostname: '',
      logins: new Map(),
      agent: true,
    },
  };
  const [local, disks] = cluster.storages;
  if (disks !== undefined)
    cluster.addVolume(disks, 'pve1', {
      ...{
        volid: `disks:base-${TEMPLATE}-disk-0`,
        content: 'images',
        vmid: TEMPLATE,
        size: 2 * GIB,
        disk: system,
      },
    });
  for (const { name } of cluster.nodes)
    if (local !== undefined)
      cluster.addVolume(local, name, { volid: MEDIUM, content: 'iso', vmid: null, size: GIB });
  const token: Token = {
    ...{ id: 'hostkeep@pve!hostkeep', secret: randomUUID(), expire: 0, privileges: new Set(PRIVILEGES) },
  };
  const server = new PveServer({ cluster, token });
  const url = await server.listen();
  const machinesOf = (serverId: string) =>
    [...cluster.machines.values()].filter((one) => JSON.stringify(one.config).includes(serverId));
  const diskOf = ({ serverId }: MachineRef): Disk => {
    const [machine, ...more] = machinesOf(serverId);
    const disk = machine === undefined ? undefined : cluster.bootDisk(machine).disk;
    if (disk === undefined || more.length > 0) throw new Error(`${more.length + 1} machines of ${serverId}`);
    return disk;
  };
  return {
    ...{ url, server, cluster, token, machinesOf, diskOf },
    wanted: (change = {}) => ({
      ...{
        serverId: randomUUID(),
        host: 'fra-epyc',
        node: 'pve1',
        generation: 1,
        hostname: 'web.example.com',
      },
      ...{
        image: 'debian-13',
        username: 'root',
        password: 'correct horse battery',
        sshKeys: [],
        userData: null,
      },
      ...{ cores: 2, memory: 2048, disk: 40, uplink: 1000, power: 'running' },
      ipv4: [{ address: '198.18.0.7', gateway: '198.18.0.1' }],
      ipv6: [{ network: '2001:db8:1000:7::/64', gateway: 'fe80::1' }],
      ...change,
    }),
    logsIn: (machine, username, password) => fits(password, diskOf(machine).logins.get(username)),
    volumes: () =>
      cluster.storages
        .flatMap(({ volumes }) => volumes)
        .filter(({ vmid, volid }) => vmid !== TEMPLATE && volid !== MEDIUM)
        .map(({ volid }) => volid),
    close: () => server.close(),
  };
}
