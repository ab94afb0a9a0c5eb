import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { firstAddress } from '../src/drivers/hypervisor/qemu/cloud-init.ts';
import { Machine } from '../src/drivers/hypervisor/qemu/machine.ts';
import { type Caller, openHarness } from './harness.ts';
import { openQemuNode } from './qemu-node.ts';
import { until } from './until.ts';

const HOST = 'fra-epyc';
const CONNECTION = 'qemu-test';
const ORDER = {
  host: HOST,
  os: 'debian-13',
  hostname: 'web.example.com',
  cores: 1,
  memory: 1024,
  disk: 20,
  duration: 1,
  tos: true,
  cancellation: true,
};

/** Whatever was answered. */
type Answer = ReturnType<typeof JSON.parse>;

/** What `server/order` says of a server. */
export interface OrderedServer {
  readonly server_uuid: string;
  readonly hostname: string;
  readonly config: {
    readonly username: string;
    readonly password: string;
    readonly ipv4: { readonly ip_address: string; readonly ip_gateway: string };
    readonly ipv6: { readonly ip_address: string; readonly ip_gateway: string };
  };
}

/** The whole program, one of whose hosts is a node of QEMU on this machine: what is ordered there is a real machine. */
export async function openMachines(options: { readonly logLevel?: 'trace' } = {}) {
  // Ended before the harness drops its database.
  let queue: pg.Pool | undefined;
  after(() => queue?.end());
  const host = await openQemuNode();
  const directory = await mkdtemp(join(tmpdir(), 'machines-'));
  const hypervisorsFile = join(directory, 'hypervisors.yaml');
  const { settings, name: node } = host.node;
  await writeFile(
    hypervisorsFile,
    JSON.stringify({ [CONNECTION]: { driver: 'qemu', nodes: [{ host: HOST, node, settings }] } }),
  );
  const harness = await openHarness({
    upkeep: true,
    lockTimeoutMs: 2_000, // as in the program: a job that cannot write is done again
    ...options,
    settings: { hypervisorsFile, data: directory },
    catalog: (demo) => ({
      ...demo,
      hosts: demo.hosts.map((one) =>
        one.name === HOST ? { ...one, hypervisor: CONNECTION, nodes: one.nodes.slice(0, 1) } : one,
      ),
    }),
  });
  after(async () => {
    await host.close();
    await rm(directory, { recursive: true, force: true });
  });
  // What belongs to no customer: the queue and everybody's rows.
  const database = new pg.Pool({ connectionString: harness.installation.directUrl, max: 2 });
  queue = database;

  /** Asks for work on a server and waits until it is done; meanwhile `looking` is shown the answer again and again. */
  async function done(as: Caller, path: string, input: object, looking: (answer: Answer) => void = () => {}) {
    const answer = await harness.data(path, { as, input });
    const { uuid } = answer.task;
    const task = async () => (await harness.data('task/details', { as, input: { uuid } })).task;
    const ended = await until(
      async () => {
        looking(answer);
        const now = await task();
        return now.finished_at ? now : null;
      },
      async () => `${path} does not end: ${JSON.stringify(await task())}`,
    );
    assert.equal(ended.state, 'succeeded', JSON.stringify(ended));
    return answer;
  }

  return {
    host,
    directory,
    harness,
    database,
    done,
    order: (as: Caller, change: object = {}, looking?: (answer: Answer) => void): Promise<OrderedServer> =>
      done(as, 'server/order', { ...ORDER, ...change }, looking),
    machine: (serverId: string) => new Machine(host.node, serverId, () => {}),
    ref: (serverId: string) => ({ serverId, host: HOST, node }),
    /** How a server's system is reached: `QemuNode.inMachine`. */
    reached: ({ server_uuid: serverId, config }: OrderedServer) =>
      host.wanted({
        serverId,
        username: config.username,
        ipv4: [{ address: config.ipv4.ip_address, gateway: config.ipv4.ip_gateway }],
        ipv6: [{ network: config.ipv6.ip_address, gateway: config.ipv6.ip_gateway }],
      }),
    addressesOf: ({ config }: OrderedServer) => [
      config.ipv4.ip_address,
      firstAddress(config.ipv6.ip_address),
    ],
    /** Has the worker do a job of its schedule now. */
    async upkeep(name: string): Promise<void> {
      const { rows } = await database.query<{ id: string }>('SELECT id FROM graphile_worker.add_job($1)', [
        name,
      ]);
      const [job] = rows;
      await until(
        async () => {
          const waiting = 'SELECT FROM graphile_worker._private_jobs WHERE id = $1';
          return (await database.query(waiting, [job?.id])).rows.length === 0 ? true : null;
        },
        async () => `${name} does not end`,
      );
    },
  };
}
