import { died } from './refusal.ts';

/** A volume's content as far as it is looked at. */
export interface Disk {
  files: Set<string>;
  /** The instance that cloud-init has set up, and those whose first start has ended. */
  instance: string | null;
  finished: Set<string>;
  hostname: string;
  /** Password hashes (crypt(5)) by user. */
  logins: Map<string, string>;
  /** Whether the system runs a guest agent. */
  agent: boolean;
}

export interface Snapshot {
  readonly config: Readonly<Record<string, string>>;
  readonly disks: ReadonlyMap<string, Disk>;
  readonly snaptime: number;
  readonly description: string;
}

export interface FirewallRule {
  readonly [name: string]: string | number;
}

export class Firewall {
  options: Record<string, string | number> = {};
  rules: FirewallRule[] = [];
  ipsets = new Map<string, { cidr: string; comment: string }[]>();
}

export interface Process {
  startedAt: number;
  paused: boolean;
  /** What it was started with. */
  readonly config: Readonly<Record<string, string>>;
}

/** A virtual machine's configuration file, with what belongs to it. */
export class SimulatedMachine {
  readonly vmid: number;
  node: string;
  config: Record<string, string>;
  pending: Record<string, string> = {};
  snapshots = new Map<string, Snapshot>();
  firewall = new Firewall();
  process: Process | null = null;
  /** As pvestatd saw it last: cluster/resources tells figures from then. null: not yet. */
  seen: Readonly<Record<string, string | number>> | null = null;

  constructor(vmid: number, node: string, config: Record<string, string>) {
    this.vmid = vmid;
    this.node = node;
    this.config = config;
  }

  checkLock(): void {
    if (this.config.lock !== undefined) throw died(`VM is locked (${this.config.lock})`);
  }

  get isTemplate(): boolean {
    return this.config.template === '1';
  }

  /** Volumes of its drives that are disks, by drive. */
  drives(config: Readonly<Record<string, string>> = this.config): [drive: string, volid: string][] {
    return Object.entries(config).flatMap(([name, value]): [string, string][] => {
      if (!/^(scsi|virtio|sata|ide|unused)\d+$/.test(name) || value.includes('media=cdrom')) return [];
      return [[name, value.split(',')[0] ?? '']];
    });
  }
}

export function copyDisk(disk: Disk): Disk {
  return {
    ...disk,
    files: new Set(disk.files),
    finished: new Set(disk.finished),
    logins: new Map(disk.logins),
  };
}

const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** A size with its unit, in bytes. */
export function bytesOf(text: string): number {
  const [, digits = '0', unit = ''] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? [];
  return Math.floor(Number(digits) * (UNITS[unit] ?? 1));
}

export function sizeOf(drive: string): number {
  return bytesOf(/(?:^|,)size=([^,]+)/.exec(drive)?.[1] ?? '0');
}

/** As PVE prints sizes: in the largest unit that they are whole in. */
export function sizeText(bytes: number): string {
  for (const unit of ['G', 'M', 'K']) {
    const size = UNITS[unit] ?? 1;
    if (bytes % size === 0) return `${bytes / size}${unit}`;
  }
  return String(bytes);
}
