import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { issueToken, newTokenSecret } from '../backend/src/business/core/access/token.ts';
import { adjustBalance } from '../backend/src/business/core/accounts/adjust.ts';
import { createCustomer } from '../backend/src/business/core/accounts/customer.ts';
import { importCatalog } from '../backend/src/business/core/catalog/import.ts';
import { syncInventories } from '../backend/src/business/products.ts';
import { Pool } from '../backend/src/db/pool.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import { findImage, imagePath } from '../backend/src/drivers/hypervisor/qemu/image.ts';
import { Machine } from '../backend/src/drivers/hypervisor/qemu/machine.ts';
import { BackendUnavailable } from '../backend/src/drivers/outcome.ts';
import { openQemuNode, type QemuNode } from '../backend/test/qemu-node.ts';
import { bootBare } from './bare-machine.ts';
import { type BenchDatabase, startPostgres } from './databases.ts';
import { startHostkeep } from './hostkeep.ts';
import { machine } from './machine.ts';
import { median } from './measurement.ts';

const USAGE = `Usage: npm run bench:machines -- [--rounds 5]

From the order of a server to the log-in prompt of its real machine, beside what QEMU alone takes to boot the same image
with as many cores and as much memory. Hostkeep is one process, as in production; the two by turns, one machine at a time.
Prints seconds and the median of the differences.`;

/** Seconds. */
const LIMIT = 3;
const HOST = 'fra-epyc';
const IMAGE = 'debian-13';
const CONNECTION = 'bench';
const SIZE = { cores: 1, memory: 1024, disk: 20 };
const LOOK_MS = 25;
const PATIENCE_MS = 180_000;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** Has the host's servers made by QEMU, on the one node that there is. */
async function sellMachines(pool: Pool, { catalog }: BenchDatabase): Promise<void> {
  const hosts = catalog.hosts.map((one) =>
    one.name === HOST ? { ...one, hypervisor: CONNECTION, nodes: one.nodes.slice(0, 1) } : one,
  );
  const now = Temporal.Now.instant();
  await transaction(pool, (tx) => importCatalog(tx, { ...catalog, hosts }, 'machines', now, syncInventories));
}

/** A customer who can pay; the token. */
async function customer(pool: Pool, currency: string): Promise<string> {
  const now = Temporal.Now.instant();
  const person = { email: 'order@hosting.example', passwordHash: null, firstName: 'Ola', lastName: 'Nord' };
  const token = newTokenSecret();
  await transaction(pool, async (tx) => {
    const created = await createCustomer(tx, { ...person, locale: 'en', timezone: 'UTC', currency }, now);
    if (created.kind !== 'created') throw new Error('there is a customer already');
    const { accountId, userId } = created;
    await adjustBalance(tx, accountId, { amount: 1_000_000n, reason: 'Bench' }, now);
    const draft = { accountId, userId, kind: 'api', name: 'bench', scopes: ['*'], expiresAt: null } as const;
    await issueToken(tx, draft, token, now);
  });
  return token;
}

/** Orders a server, waits for the prompt on its serial line, and removes the machine; the seconds between. */
async function bootOrdered({ node, driver }: QemuNode, port: number, token: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/server/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      ...{ host: HOST, os: IMAGE, hostname: 'web.example.com', ...SIZE },
      ...{ duration: 1, tos: true, cancellation: true },
    }),
  });
  const body = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(JSON.stringify(body));
  const serverId: string = body.data.server_uuid;
  const ordered = new Machine(node, serverId, () => {});
  for (let said = ''; !said.includes('login:'); ) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`no prompt: ${said.slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    said += await ordered
      .ask((qmp) => qmp.execute('ringbuf-read', { device: 'serial', size: 65_536 }))
      .catch((error: unknown) => {
        // It is not there yet.
        if (error instanceof BackendUnavailable) return '';
        throw error;
      });
  }
  const seconds = (performance.now() - begun) / 1000;
  await driver.ensureAbsent({ serverId, host: HOST, node: node.name });
  return seconds;
}

const busyBefore = loadavg()[0] ?? 0;
const postgres = await startPostgres();
const stops = [() => postgres.stop()];
try {
  const host = await openQemuNode();
  stops.unshift(host.close);
  const { directory } = postgres;
  const hypervisors = join(directory, 'hypervisors.yaml');
  const { settings, name } = host.node;
  const connection = { driver: 'qemu', nodes: [{ host: HOST, node: name, settings }] };
  await writeFile(hypervisors, JSON.stringify({ [CONNECTION]: connection }));
  const database = await postgres.create('machines');
  const pool = new Pool({ url: database.url, size: 1, name: 'hostkeep-bench' });
  stops.unshift(() => pool.end());
  await sellMachines(pool, database);
  const token = await customer(pool, database.catalog.currency);
  const hostkeep = await startHostkeep(database, {
    program: fileURLToPath(new URL('../backend/bin/hostkeep.js', import.meta.url)),
    directory,
    nodeOptions: [],
    worker: true,
    settings: { HOSTKEEP_HYPERVISORS_FILE: hypervisors },
  });
  stops.unshift(hostkeep.stop);
  const image = await findImage(host.node, IMAGE);
  if (image === null) throw new Error(`there is no image ${IMAGE}`);
  const bare = { image: imagePath(host.node, image), disk: `${directory}/bare.qcow2`, memory: SIZE.memory };

  console.log(`\n${machine(postgres.version)}, load ${busyBefore.toFixed(1)}`);
  console.log('\nseconds to the prompt: QEMU alone, from an order, and the difference\n');
  const rounds: { bare: number; ordered: number }[] = [];
  while (rounds.length < Number(values.rounds)) {
    const round = { bare: await bootBare(bare), ordered: await bootOrdered(host, hostkeep.port, token) };
    rounds.push(round);
    console.log(line(round.bare, round.ordered, round.ordered - round.bare));
  }
  const difference = median(rounds.map((round) => round.ordered - round.bare));
  const [alone, whole] = [median(rounds.map((one) => one.bare)), median(rounds.map((one) => one.ordered))];
  const met = difference <= LIMIT;
  console.log(`\n${line(alone, whole, difference)}  median; at most ${LIMIT}: ${met ? 'met' : 'MISSED'}`);
  process.exitCode = met ? 0 : 1;
} finally {
  for (const stop of stops) await stop();
}

function line(...seconds: readonly number[]): string {
  return seconds.map((one) => one.toFixed(2).padStart(7)).join('');
}
