import type { Host, Range } from '../core/catalog/schema/host.ts';
import type { ServerPackage } from '../core/catalog/schema/packages.ts';

/** How large a server is. Memory MiB, disk GiB, uplink Mbit/s. */
export interface Configuration {
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  /** How many IPv4 addresses. */
  readonly ipv4: number;
  /** Whether it gets an IPv6 network. */
  readonly ipv6: boolean;
  readonly backupSlots: number;
}

/** What a package is: its size, one IPv4 address where the host has any, an IPv6 network, no backup slots. */
export function packageConfiguration(pack: ServerPackage, host: Host): Configuration {
  const { cores, memory, disk, uplink } = pack;
  const { min, max } = host.configuration.ipv4;
  const ipv4 = Math.min(Math.max(1, min), max);
  return { cores, memory, disk, uplink, ipv4, ipv6: true, backupSlots: 0 };
}

/** What a customer chose beside cores, memory and disk; the rest is the least that the host offers. */
export interface Chosen {
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink?: number | undefined;
  readonly ipv4?: number | undefined;
  readonly ipv6?: boolean | undefined;
  readonly backup_slots?: number | undefined;
}

/** A choice that the host does not offer, by the request's name for it. */
export interface OutOfRange {
  readonly field: 'cores' | 'memory' | 'disk' | 'uplink' | 'ipv4' | 'backup_slots';
  readonly range: Range;
}

export type ConfigurationChoice =
  | { readonly kind: 'configuration'; readonly configuration: Configuration }
  | { readonly kind: 'out_of_range'; readonly fields: readonly OutOfRange[] };

const FIELDS = ['cores', 'memory', 'disk', 'uplink', 'ipv4', 'backup_slots'] as const;

export function chosenConfiguration(host: Host, chosen: Chosen): ConfigurationChoice {
  const ranges = host.configuration;
  const { cores, memory, disk } = chosen;
  const uplink = chosen.uplink ?? ranges.uplink.min;
  const ipv4 = chosen.ipv4 ?? Math.min(Math.max(1, ranges.ipv4.min), ranges.ipv4.max);
  const backup_slots = chosen.backup_slots ?? ranges.backup_slots.min;
  const values = { cores, memory, disk, uplink, ipv4, backup_slots };
  const fields = FIELDS.flatMap((field) =>
    isWithin(ranges[field], values[field]) ? [] : [{ field, range: ranges[field] }],
  );
  if (fields.length > 0) return { kind: 'out_of_range', fields };
  const ipv6 = chosen.ipv6 ?? true;
  return {
    kind: 'configuration',
    configuration: { cores, memory, disk, uplink, ipv4, ipv6, backupSlots: backup_slots },
  };
}

/** min, min + step, … up to max. */
function isWithin(range: Range, value: number): boolean {
  return value >= range.min && value <= range.max && (value - range.min) % range.step === 0;
}

/** The smallest server that a host sells, for telling whether it has room for any. */
export function smallestConfiguration(host: Host): Configuration {
  const { cores, memory, disk, uplink, ipv4, backup_slots } = host.configuration;
  return {
    cores: cores.min,
    memory: memory.min,
    disk: disk.min,
    uplink: uplink.min,
    ipv4: Math.min(Math.max(1, ipv4.min), ipv4.max),
    ipv6: true,
    backupSlots: backup_slots.min,
  };
}
