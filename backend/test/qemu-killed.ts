/**
 * Runs one command of the qemu driver in a process of its own, which kills itself (SIGKILL) when a point of it is reached.
 *   node qemu-killed.ts <json: { settings, wanted, command, point }>
 */
import { localExecutor } from '../src/drivers/host/local.ts';
import { QemuHypervisor } from '../src/drivers/hypervisor/qemu/hypervisor.ts';
import { Node } from '../src/drivers/hypervisor/qemu/node.ts';
import { NodeSettings } from '../src/drivers/hypervisor/qemu/settings.ts';

const { settings, wanted, command, point } = JSON.parse(process.argv[2] ?? '');
const node = new Node(wanted.node, localExecutor('qemu'), NodeSettings.parse(settings));
const driver = new QemuHypervisor({
  hosts: new Map([[wanted.host, [node]]]),
  reached(at) {
    process.stdout.write(`${at}\n`);
    if (at === point) process.kill(process.pid, 'SIGKILL');
  },
});
await (command === 'absent' ? driver.ensureAbsent(wanted) : driver.ensureMachine(wanted));
