import type { MachineHardware } from '../port.ts';
import { processor } from './process.ts';
import type { MachineRecord } from './record.ts';
import type { NodeSettings } from './settings.ts';

const FIRST_DISK = 'vda';
const SECOND_DISK = 'vdb';
/** The first one is for seeds. */
const DRIVE = 'sr1';

/** What a machine is built of (process.ts). Its own disk is the second one while it runs another system. */
export function hardwareOf(
  settings: NodeSettings,
  { medium, rescue }: Pick<MachineRecord, 'medium' | 'rescue'>,
): MachineHardware {
  const disk = rescue === null ? FIRST_DISK : SECOND_DISK;
  const own = medium === null ? [disk] : medium.first ? [DRIVE, disk] : [disk, DRIVE];
  return {
    machine: 'q35',
    firmware: 'bios',
    processor: processor(settings),
    sockets: 1,
    ballooning: true,
    disk: { name: disk, bus: 'virtio' },
    network: { name: 'net0', model: 'virtio' },
    bootOrder: rescue === null ? own : [FIRST_DISK, ...own],
  };
}
