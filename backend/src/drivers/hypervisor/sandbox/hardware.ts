import type { MachineHardware } from '../port.ts';

/** What every machine that is but a row would be built of. */
export const HARDWARE: MachineHardware = {
  machine: 'sandbox',
  firmware: 'bios',
  processor: 'sandbox',
  sockets: 1,
  ballooning: false,
  disk: { name: 'vda', bus: 'virtio' },
  network: { name: 'net0', model: 'virtio' },
  bootOrder: ['vda'],
};
