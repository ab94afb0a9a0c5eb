import { macAddress } from '../../../base/mac-address.ts';
import type { Parameters } from './api.ts';
import { tagsOf } from './mark.ts';
import { descriptionOf, type MachineRecord } from './record.ts';
import type { ClusterSettings } from './settings.ts';

/** Where seeds are put in. */
export const SEED_DRIVE = 'ide2';
export const NO_SEED = 'none,media=cdrom';
/** Where customers' media are put in. */
export const MEDIUM_DRIVE = 'ide0';
export const NO_MEDIUM = 'none,media=cdrom';
/** Where the disk is of the system that a machine runs instead of its own. */
export const RESCUE_DRIVE = 'scsi30';
const MBIT_PER_MBYTE = 8;

/** A virtual machine's configuration as the API tells it, as far as it is read. */
export type Configuration = Readonly<Record<string, unknown>>;

export function textOf(configuration: Configuration, name: string): string {
  const value = configuration[name];
  return value === undefined || value === null ? '' : String(value);
}

/** Everything of a machine that its record says; disks and seed apart. */
export function configurationOf(record: MachineRecord, settings: ClusterSettings): Parameters {
  return {
    name: record.hostname,
    tags: tagsOf(record, settings.installation),
    description: descriptionOf(record),
    sockets: 1,
    cores: record.cores,
    memory: record.memory,
    net0: networkCard(record, settings),
    agent: 'enabled=1',
  };
}

/** A card that the firewall sees, with the server's address and what its uplink allows; PVE counts in megabytes. */
export function networkCard(
  { serverId, uplink }: Pick<MachineRecord, 'serverId' | 'uplink'>,
  { network: { model, bridge, vlan } }: ClusterSettings,
): string {
  const tag = vlan === undefined ? '' : `,tag=${vlan}`;
  return `${model}=${macAddress(serverId).toUpperCase()},bridge=${bridge},firewall=1,rate=${uplink / MBIT_PER_MBYTE}${tag}`;
}

/** What a machine starts from, the first of these that there is. */
export function orderOf(configuration: Configuration): string[] {
  return /order=([^,]+)/.exec(textOf(configuration, 'boot'))?.[1]?.split(';') ?? [];
}

/** The `boot` option with the drive for media, or the rescue's disk, elsewhere; what is not said stays. */
export function bootOrder(
  configuration: Configuration,
  { medium, rescue }: { readonly medium?: 'first' | 'last' | 'none'; readonly rescue?: boolean },
): string {
  const known = orderOf(configuration);
  const order = known.length > 0 ? known : [bootDisk(configuration)?.drive ?? 'scsi0'];
  const isRescued = rescue ?? order.includes(RESCUE_DRIVE);
  const rest = order.filter((drive) => drive !== RESCUE_DRIVE);
  const others = rest.filter((drive) => drive !== MEDIUM_DRIVE);
  const placed =
    medium === undefined
      ? rest
      : [
          ...(medium === 'first' ? [MEDIUM_DRIVE] : []),
          ...others,
          ...(medium === 'last' ? [MEDIUM_DRIVE] : []),
        ];
  return `order=${[...(isRescued ? [RESCUE_DRIVE] : []), ...placed].join(';')}`;
}

export interface BootDisk {
  readonly drive: string;
  readonly volume: string;
  readonly bytes: number;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };
const DRIVE = /^(scsi|virtio|sata|ide)\d+$/;

/** The machine's own disk that it boots from; null: there is none. */
export function bootDisk(configuration: Configuration): BootDisk | null {
  const order = orderOf(configuration);
  const named = [...order, textOf(configuration, 'bootdisk'), 'scsi0', 'virtio0', 'sata0', 'ide0'];
  for (const drive of named) {
    const value = textOf(configuration, drive);
    if (!DRIVE.test(drive) || drive === RESCUE_DRIVE || value === '' || value.includes('media=cdrom'))
      continue;
    const [, digits = '0', unit = ''] = /,size=(\d+(?:\.\d+)?)([KMGT]?)/.exec(value) ?? [];
    return { drive, volume: value.split(',')[0] ?? '', bytes: Number(digits) * (UNITS[unit] ?? 1) };
  }
  return null;
}

/** The seed's volume that is in the drive; null: none is. */
export function seedVolume(configuration: Configuration): string | null {
  const volume = textOf(configuration, SEED_DRIVE).split(',')[0] ?? '';
  return volume.includes(':iso/hostkeep-') ? volume : null;
}
