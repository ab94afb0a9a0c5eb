import type { DiskBus, MachineHardware } from '../port.ts';
import { bootDisk, type Configuration, orderOf, textOf } from './configuration.ts';

const CARD = 'net0';
/** What PVE takes where a configuration does not say. */
const CHIPSET = 'i440fx';
const PROCESSOR = 'kvm64';

/** What a machine's configuration says it is built of. */
export function hardwareOf(configuration: Configuration): MachineHardware {
  const drive = bootDisk(configuration)?.drive ?? '';
  const chipset = textOf(configuration, 'machine').split(',')[0] ?? '';
  const order = orderOf(configuration);
  return {
    machine: chipset.replace(/^pc-/, '').replace(/-[0-9].*$/, '') || CHIPSET,
    firmware: textOf(configuration, 'bios') === 'ovmf' ? 'uefi' : 'bios',
    processor:
      textOf(configuration, 'cpu')
        .split(',')[0]
        ?.replace(/^cputype=/, '') || PROCESSOR,
    sockets: Number(textOf(configuration, 'sockets') || 1),
    ballooning: textOf(configuration, 'balloon') !== '0',
    disk: { name: drive, bus: busOf(drive) },
    network: { name: CARD, model: textOf(configuration, CARD).split('=')[0] ?? '' },
    bootOrder: order.length > 0 ? order : [drive],
  };
}

function busOf(drive: string): DiskBus {
  const bus = drive.replace(/[0-9]+$/, '');
  return bus === 'virtio' || bus === 'sata' || bus === 'ide' ? bus : 'scsi';
}
