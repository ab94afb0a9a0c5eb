import { interfaceOf } from '../src/drivers/hypervisor/qemu/node.ts';
import type { QemuNode } from './qemu-node.ts';

/** Everything of a machine that a node could be left with. */
export function tracesOf(host: QemuNode, serverId: string) {
  const tap = interfaceOf(serverId, 'tap');
  const sh = (text: string, ...values: string[]) =>
    host.inNetwork(['sh', '-c', text, 'sh', ...values]).stdout;
  return {
    files: sh(
      'cd "$1" && find . -mindepth 1 -maxdepth 4 -path "*$2*" | sort',
      host.node.settings.state,
      serverId,
    )
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('./locks/')),
    processes: sh(
      'for pid in $(pgrep -f "^qemu-system-x86_64 -name guest=$1 "); do grep -L "^State:.Z" /proc/$pid/status; done',
      serverId,
    )
      .split('\n')
      .filter((line) => line !== '').length,
    interfaces: sh('ls /sys/class/net')
      .split('\n')
      .filter((name) => name.slice(2) === tap.slice(2)).length,
    rules: sh('nft list table bridge "$1"', host.node.settings.mark).includes(tap),
  };
}

export const NO_TRACES = { files: [], processes: 0, interfaces: 0, rules: false };
