// Needs: machines

import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Executor } from '../src/drivers/host/executor.ts';
import { localExecutor } from '../src/drivers/host/local.ts';
import type { MachineRef, WantedMachine } from '../src/drivers/hypervisor/port.ts';
import { QemuHypervisor } from '../src/drivers/hypervisor/qemu/hypervisor.ts';
import { addImage } from '../src/drivers/hypervisor/qemu/image.ts';
import { type FaultPoint, Machine, powerOf } from '../src/drivers/hypervisor/qemu/machine.ts';
import { ensureBridge } from '../src/drivers/hypervisor/qemu/network.ts';
import { Node } from '../src/drivers/hypervisor/qemu/node.ts';
import { NodeSettings } from '../src/drivers/hypervisor/qemu/settings.ts';

const KERNEL = '/var/cache/hostkeep-qemu/kernel';
const BUILD = fileURLToPath(new URL('image/build.sh', import.meta.url));
const NEEDED = [
  'qemu-system-x86_64',
  'qemu-img',
  'genisoimage',
  'nft',
  'ip',
  'tc',
  'setpriv',
  'socat',
  'dbclient',
];

/** Machines are emulated, and share two cores with whatever else runs: only what hangs takes so long. */
const PATIENCE_MS = 240_000;

const run = promisify(execFile);

/** What a command came to. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A node of its own on this machine: state, bridge and network namespace, and the tests' image as `debian-13`. */
export interface QemuNode {
  readonly node: Node;
  readonly driver: QemuHypervisor;
  wanted(change?: Partial<WantedMachine>): WantedMachine;
  /** What a command printed that ran in the network namespace of the machines. */
  inNetwork(
    argv: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): { code: number; stdout: string };
  /** Waits until a machine takes connections, which it does last when it starts. */
  answers(machine: WantedMachine): Promise<void>;
  /** Runs a command in a machine as its user, once its login answers. */
  inMachine(machine: WantedMachine, password: string, command: string): Promise<Ran>;
  /** Presses the power button of a machine as nobody who asks the driver does, and waits until it is off. */
  shutDownInside(machine: MachineRef): Promise<void>;
  /** What a restart of the node leaves: the files, but no process, no network and another boot. */
  restartNode(): void;
  /** Waits until the machine's serial line shows its prompt. */
  prompt(machine: MachineRef): Promise<string>;
  close(): Promise<void>;
}

export interface QemuNodeOptions {
  readonly reached?: (point: FaultPoint) => void;
  readonly executor?: Executor;
  readonly network?: Partial<NodeSettings['network']>;
  /** `debian-13` is a disk with nothing on it: a machine whose system nobody asks starts none, on the cores of the tests. */
  readonly emptyDisks?: boolean;
}

/** The image that tests boot, built once for each version of its sources. */
async function testImage(): Promise<string> {
  const digest = createHash('sha256');
  for (const name of ['build.sh', 'chpasswd', 'initrd-init', 'inittab', 'rc', 'seed', 'syslinux.cfg'])
    digest.update(await readFile(new URL(`image/${name}`, import.meta.url)));
  const path = `/var/cache/hostkeep-qemu/test-${digest.digest('hex').slice(0, 16)}.qcow2`;
  if (!existsSync(path)) await run(BUILD, [KERNEL, path], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  return path;
}

async function emptyImage(state: string): Promise<string> {
  const path = `${state}/empty.qcow2`;
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', path, '64M']);
  return path;
}

export async function openQemuNode({
  reached,
  executor,
  network,
  emptyDisks = false,
}: QemuNodeOptions = {}): Promise<QemuNode> {
  const missing = NEEDED.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing.length > 0 || !existsSync(`${KERNEL}/vmlinuz`))
    throw new Error(`${missing.join(', ') || 'the kernel'} is missing: run scripts/install.sh tests`);
  const mark = randomBytes(3).toString('hex');
  const state = await mkdtemp('/tmp/hkq-');
  const image = emptyDisks ? await emptyImage(state) : await testImage();
  const namespace = `hkq-${mark}`;
  const node = new Node(
    'fra-epyc-01',
    executor ?? localExecutor('qemu'),
    NodeSettings.parse({
      state,
      accelerator: 'tcg',
      network: {
        ...network,
        namespace,
        bridge: 'hkbr0',
        addresses: ['198.18.0.1/24', 'fe80::1/64', '2001:db8:1000::1/64'],
      },
      backups: `${state}/backups`,
      mark: `hkq_${mark}`,
    }),
  );
  await run('chmod', ['0711', state]);
  await ensureBridge(node);
  const sha256 = createHash('sha256')
    .update(await readFile(image))
    .digest('hex');
  await addImage(node, 'debian-13', image, sha256);
  const driver = new QemuHypervisor({
    hosts: new Map([['fra-epyc', [node]]]),
    ...(reached === undefined ? {} : { reached }),
  });
  let count = 10;

  function inNetwork(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [file = '', ...given] = node.inNetwork(argv);
    const { status, stdout, stderr } = spawnSync(file, given, {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: state, ...env },
      timeout: 120_000,
      maxBuffer: 16 * 1024 * 1024,
    });
    return { code: status ?? -1, stdout, stderr };
  }

  async function prompt(machine: MachineRef): Promise<string> {
    const asked = new Machine(node, machine.serverId, () => {});
    let text = '';
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
      text += await asked.ask((qmp) => qmp.execute('ringbuf-read', { device: 'serial', size: 65_536 }));
      if (text.includes('login:')) return text;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`no prompt: ${text.slice(-2_000)}`);
  }

  async function answers({ ipv4 }: WantedMachine): Promise<void> {
    const target = `TCP:${ipv4[0]?.address}:22,connect-timeout=5,readbytes=4`;
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
      const { stdout } = inNetwork(['sh', '-c', `socat -T30 -u ${target} -`]);
      if (stdout === 'SSH-') return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the machine does not answer');
  }

  return {
    node,
    driver,
    inNetwork,
    prompt,
    wanted: (change = {}) => {
      count += 1;
      return {
        serverId: '',
        host: 'fra-epyc',
        node: 'fra-epyc-01',
        generation: 1,
        hostname: 'web.example.com',
        image: 'debian-13',
        username: 'root',
        password: null,
        sshKeys: [],
        userData: null,
        cores: 1,
        memory: 128,
        disk: 1,
        uplink: 1000,
        ipv4: [{ address: `198.18.0.${count}`, gateway: '198.18.0.1' }],
        ipv6: [{ network: `2001:db8:1000:${count.toString(16)}::/64`, gateway: 'fe80::1' }],
        power: 'running',
        ...change,
      };
    },
    answers,
    async inMachine(machine, password, command) {
      await answers(machine);
      const address = machine.ipv4[0]?.address ?? '';
      return inNetwork(['dbclient', '-y', '-y', `${machine.username}@${address}`, command], {
        DROPBEAR_PASSWORD: password,
      });
    },
    async shutDownInside({ serverId }) {
      const pressed = new Machine(node, serverId, () => {});
      await pressed.command((qmp) => qmp.execute('system_powerdown'));
      for (;;) {
        const state = await pressed.find();
        if (state === null || (await powerOf(pressed, state)) === 'stopped') return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    restartNode() {
      const off = `for pid in "$1"/machines/*/run/pid; do kill -KILL "$(cat "$pid")" 2>/dev/null; done
        for boot in "$1"/machines/*/run/boot; do echo another >"$boot"; done
        ip netns delete "$2"`;
      spawnSync('sh', ['-c', off, 'sh', state, namespace]);
    },
    async close() {
      for (const { serverId, host, node: name } of (await driver.list('fra-epyc')).machines)
        await driver.ensureAbsent({ serverId, host, node: name });
      await run('ip', ['netns', 'delete', namespace]);
      await rm(state, { recursive: true, force: true });
    },
  };
}
