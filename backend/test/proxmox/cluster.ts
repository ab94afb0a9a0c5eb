import { bytesOf, type Disk, type SimulatedMachine, sizeOf } from './machine.ts';
import { died, PveRefusal } from './refusal.ts';
import { Tasks } from './task.ts';

export interface SimulatedNode {
  readonly name: string;
  online: boolean;
  readonly cpus: number;
  readonly memory: number;
}

export interface Volume {
  readonly volid: string;
  /** null: on every node. */
  readonly node: string | null;
  readonly content: 'images' | 'iso' | 'backup';
  readonly vmid: number | null;
  size: number;
  readonly ctime: number;
  notes?: string;
  disk?: Disk;
  /** Of an image of a medium. */
  bytes?: Buffer;
  /** Of a backup. */
  config?: Readonly<Record<string, string>>;
  /** The volume that a linked clone is read through. */
  parent?: string;
}

export interface SimulatedStorage {
  readonly id: string;
  readonly type: 'dir' | 'lvmthin' | 'nfs';
  readonly shared: boolean;
  readonly content: readonly string[];
  readonly size: number;
  volumes: Volume[];
}

/** What a cluster of Proxmox VE knows: nodes, storages, machines, tasks, options of the firewall. */
export class SimulatedCluster {
  readonly nodes: SimulatedNode[] = [];
  readonly storages: SimulatedStorage[] = [];
  readonly machines = new Map<number, SimulatedMachine>();
  readonly tasks = new Tasks();
  firewallOptions: Record<string, string | number> = { enable: 1 };
  version = '8.4.1';
  /** Machines whose system does not listen to who wants it to shut down. */
  readonly deaf = new Set<number>();
  #seconds = 1_795_000_000;

  /** Seconds since 1970, as the nodes' clocks have them. */
  get now(): number {
    return this.#seconds;
  }

  pass(seconds: number): void {
    this.#seconds += seconds;
  }

  /** What pvestatd does every ten seconds: cluster/resources tells of this moment until it comes again. */
  observe(): void {
    for (const machine of this.machines.values()) machine.seen = this.figures(machine);
  }

  isDeaf(vmid: number): boolean {
    return this.deaf.has(vmid);
  }

  node(name: string): SimulatedNode {
    const node = this.nodes.find((one) => one.name === name);
    if (node === undefined) throw died(`no such cluster node '${name}'`);
    if (!node.online) throw new PveRefusal(595, 'No route to host');
    return node;
  }

  storage(id: string, node: string): SimulatedStorage {
    const storage = this.storages.find((one) => one.id === id);
    if (storage === undefined) throw died(`storage '${id}' does not exist`);
    this.node(node);
    return storage;
  }

  /** The machine, when its configuration is on this node. */
  machine(vmid: number, node: string): SimulatedMachine {
    this.node(node);
    const machine = this.machines.get(vmid);
    if (machine === undefined || machine.node !== node)
      throw died(`Configuration file 'nodes/${node}/qemu-server/${vmid}.conf' does not exist`);
    return machine;
  }

  volume(volid: string, node: string): Volume | undefined {
    return this.storages
      .flatMap(({ volumes }) => volumes)
      .find((one) => one.volid === volid && (one.node === null || one.node === node));
  }

  mustHaveVolume(volid: string, node: string): Volume {
    const volume = this.volume(volid, node);
    if (volume === undefined) throw died(`volume '${volid}' does not exist`);
    return volume;
  }

  storageOf(volid: string): SimulatedStorage {
    const id = volid.split(':')[0];
    const storage = this.storages.find((one) => one.id === id);
    if (storage === undefined) throw died(`storage '${id}' does not exist`);
    return storage;
  }

  /** Makes a volume; the node matters where the storage is not shared. */
  addVolume(storage: SimulatedStorage, node: string, volume: Omit<Volume, 'node' | 'ctime'>): Volume {
    const used = storage.volumes.reduce((sum, { size }) => sum + size, 0);
    if (used + volume.size > storage.size) throw died('no space left on device');
    const added = { ...volume, node: storage.shared ? null : node, ctime: this.now };
    storage.volumes = [
      ...storage.volumes.filter(({ volid, node: on }) => volid !== added.volid || on !== added.node),
      added,
    ];
    return added;
  }

  removeVolume(volid: string, node: string): void {
    const storage = this.storageOf(volid);
    storage.volumes = storage.volumes.filter(
      (one) => one.volid !== volid || (one.node !== null && one.node !== node),
    );
  }

  /** The drive that a machine boots from. */
  bootDrive({ config }: SimulatedMachine): string {
    const order = /order=([^,]+)/.exec(config.boot ?? '')?.[1]?.split(';') ?? [];
    // No medium here starts anything.
    return order.find((drive) => config[drive]?.includes('media=cdrom') === false) ?? 'scsi0';
  }

  bootDisk(machine: SimulatedMachine): Volume {
    const drive = machine.config[this.bootDrive(machine)] ?? '';
    return this.mustHaveVolume(drive.split(',')[0] ?? '', machine.node);
  }

  /** vmstatus: figures of a machine at this moment. */
  figures(machine: SimulatedMachine): Record<string, string | number> {
    const { config, process, vmid } = machine;
    const uptime = process === null ? 0 : Math.max(1, this.now - process.startedAt);
    const maxmem = Number(config.memory ?? 512) * bytesOf('1M');
    const on = process === null ? 0 : 1;
    return {
      vmid,
      status: on === 1 ? 'running' : 'stopped',
      name: config.name ?? `VM ${vmid}`,
      cpus: Number(config.sockets ?? 1) * Number(config.cores ?? 1),
      cpu: on * 0.125,
      maxmem,
      mem: on * Math.floor(maxmem / 4),
      maxdisk: sizeOf(config[this.bootDrive(machine)] ?? ''),
      disk: 0,
      uptime,
      netin: uptime * 1000,
      netout: uptime * 2000,
      diskread: uptime * 4096,
      diskwrite: uptime * 8192,
      ...(machine.isTemplate ? { template: 1 } : {}),
      ...(config.lock === undefined ? {} : { lock: config.lock }),
      ...(config.tags === undefined ? {} : { tags: config.tags }),
    };
  }
}
