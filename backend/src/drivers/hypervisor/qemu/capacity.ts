import type { NodeCapacity } from '../port.ts';
import type { Node } from './node.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const CAPACITY = `mkdir -p "$1"
echo "$(nproc) $(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo) $(df --output=size,avail -B1 "$1" | tail -n 1)"`;

/** What a node has. */
export async function capacityOf(node: Node): Promise<NodeCapacity> {
  const printed = await node.sh(CAPACITY, node.settings.state);
  const [cores = 0, kib = 0, size = 0, free = 0] = printed.trim().split(/\s+/).map(Number);
  return {
    node: node.name,
    cores,
    memory: Math.floor((kib * 1024) / MIB),
    disk: Math.floor(size / GIB),
    diskFree: Math.floor(free / GIB),
  };
}
