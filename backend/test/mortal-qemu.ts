import { localExecutor } from '../src/drivers/host/local.ts';
import type { Hypervisor } from '../src/drivers/hypervisor/port.ts';
import { QemuHypervisor } from '../src/drivers/hypervisor/qemu/hypervisor.ts';
import type { FaultPoint } from '../src/drivers/hypervisor/qemu/machine.ts';
import { Node } from '../src/drivers/hypervisor/qemu/node.ts';
import { NodeSettings } from '../src/drivers/hypervisor/qemu/settings.ts';

/** A node of the tests as the catalogue's first host. */
export function openQemu(settings: unknown, reached: (point: FaultPoint) => void): Hypervisor {
  const node = new Node('fra-epyc-01', localExecutor('qemu'), NodeSettings.parse(settings));
  return new QemuHypervisor({ hosts: new Map([['fra-epyc', [node]]]), reached });
}
