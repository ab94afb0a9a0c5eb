import { randomInt } from 'node:crypto';
import { signalPid, startOf, tool } from './os-process.ts';

const PREFIX = 'hkha';
const NAMESPACE = /^hkha-(\d+)-(\d+)-/;

/**
 * Machines made of network namespaces, joined by a bridge in a namespace of its own, so that no firewall rule of this
 * machine applies between them. The script reaches them from outside over one more cable.
 */
export class Network {
  readonly #owner: string;
  readonly #subnet: string;
  readonly #machines = new Map<string, string>();

  private constructor(subnet: string) {
    this.#owner = `${process.pid}-${startOf(process.pid)}`;
    this.#subnet = subnet;
  }

  static async create(): Promise<Network> {
    const network = new Network(await freeSubnet());
    const bridge = network.namespace('bridge');
    const cable = `${PREFIX}${process.pid}`;
    await tool('ip', 'netns', 'add', bridge);
    await tool('ip', '-n', bridge, 'link', 'add', 'bridge', 'type', 'bridge');
    await tool('ip', '-n', bridge, 'link', 'set', 'bridge', 'up');
    await tool('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'script', 'netns', bridge);
    await tool('ip', '-n', bridge, 'link', 'set', 'script', 'master', 'bridge', 'up');
    await tool('ip', 'address', 'add', `${network.#subnet}.1/24`, 'dev', cable);
    await tool('ip', 'link', 'set', cable, 'up');
    return network;
  }

  /** All addresses of the network, as access rules name them. */
  get range(): string {
    return `${this.#subnet}.0/24`;
  }

  namespace(machine: string): string {
    return `${PREFIX}-${this.#owner}-${machine}`;
  }

  addressOf(machine: string): string {
    const address = this.#machines.get(machine);
    if (address === undefined) throw new Error(`there is no machine ${machine}`);
    return address;
  }

  async addMachine(machine: string): Promise<void> {
    const address = `${this.#subnet}.${10 + this.#machines.size}`;
    const namespace = this.namespace(machine);
    const bridge = this.namespace('bridge');
    await tool('ip', 'netns', 'add', namespace);
    await tool(
      ...['ip', '-n', bridge, 'link', 'add', machine, 'type', 'veth'],
      ...['peer', 'name', 'eth0', 'netns', namespace],
    );
    await tool('ip', '-n', bridge, 'link', 'set', machine, 'master', 'bridge', 'up');
    await tool('ip', '-n', namespace, 'link', 'set', 'lo', 'up');
    await tool('ip', '-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    await tool('ip', '-n', namespace, 'link', 'set', 'eth0', 'up');
    this.#machines.set(machine, address);
  }

  /** Pulls the cable: what is sent is lost, and no connection is closed. */
  async unplug(machine: string): Promise<void> {
    await tool('ip', '-n', this.namespace('bridge'), 'link', 'set', machine, 'down');
  }

  async plug(machine: string): Promise<void> {
    await tool('ip', '-n', this.namespace('bridge'), 'link', 'set', machine, 'up');
  }

  /** The processes of a machine, also those that its programs started. */
  processesOf(machine: string): Promise<number[]> {
    return processesIn(this.namespace(machine));
  }

  async remove(): Promise<void> {
    for (const namespace of await namespaces()) {
      if (namespace.startsWith(`${PREFIX}-${this.#owner}-`)) await removeNamespace(namespace);
    }
  }
}

/** Ends what runs that ended without cleaning up have left: their processes and their namespaces. */
export async function removeLeftNamespaces(): Promise<void> {
  for (const namespace of await namespaces()) {
    const [, pid, start] = NAMESPACE.exec(namespace) ?? [];
    if (pid !== undefined && startOf(Number(pid)) !== start) await removeNamespace(namespace);
  }
}

async function namespaces(): Promise<string[]> {
  const listed = await tool('ip', 'netns', 'list');
  return listed.split('\n').flatMap((line) => line.split(' ')[0] || []);
}

async function processesIn(namespace: string): Promise<number[]> {
  const listed = await tool('ip', 'netns', 'pids', namespace);
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

async function removeNamespace(namespace: string): Promise<void> {
  // Until none is left: what is killed may just have started another one.
  for (let alive = await living(namespace); alive.length > 0; alive = await living(namespace)) {
    for (const pid of alive) signalPid(pid, 'SIGKILL');
  }
  await tool('ip', 'netns', 'delete', namespace);
}

async function living(namespace: string): Promise<number[]> {
  return (await processesIn(namespace)).filter((pid) => startOf(pid) !== null);
}

async function freeSubnet(): Promise<string> {
  const used = await tool('ip', '-4', '-o', 'route', 'show', 'table', 'all');
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const subnet = `10.${randomInt(200, 250)}.${randomInt(1, 250)}`;
    if (!used.includes(`${subnet}.`) && !used.includes(`${subnet.replace(/\.\d+$/, '')}.0.0/`)) return subnet;
  }
  throw new Error('no free network below 10.200.0.0/10 was found');
}
