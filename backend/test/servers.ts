import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { runOnce, type Task, Logger as WorkerLogger } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { openOutbound } from '../src/base/outbound.ts';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import { catalogFromDocument } from '../src/business/core/catalog/schema/schema.ts';
import { syncInventories } from '../src/business/products.ts';
import serviceLifecycle from '../src/business/selling/subscriptions/renewal/lifecycle.job.ts';
import { APPLICATION_ROLE } from '../src/db/migrate.ts';
import { Pool } from '../src/db/pool.ts';
import { transaction } from '../src/db/transaction.ts';
import { SandboxDns } from '../src/drivers/dns/sandbox/dns.ts';
import { routedHypervisor } from '../src/drivers/hypervisor/routing.ts';
import { SandboxHypervisor } from '../src/drivers/hypervisor/sandbox/hypervisor.ts';
import { SandboxMailer } from '../src/drivers/mail/sandbox/mail.ts';
import { routedPayments } from '../src/drivers/payment/routing.ts';
import { SandboxPayments } from '../src/drivers/payment/sandbox/payments.ts';
import type { CommandPorts } from '../src/drivers/ports.ts';
import { RoutedRegistries } from '../src/drivers/registry/routing.ts';
import { SandboxRegistry } from '../src/drivers/registry/sandbox/registry.ts';
import { SandboxResolver } from '../src/drivers/resolver/sandbox/resolver.ts';
import { DiskStorage } from '../src/drivers/storage/disk/storage.ts';
import { SandboxVatRegister } from '../src/drivers/vat/sandbox/register.ts';
import type { Webserver } from '../src/drivers/webserver/port.ts';
import { routedWebserver } from '../src/drivers/webserver/routing.ts';
import { SandboxWebserver } from '../src/drivers/webserver/sandbox/webserver.ts';
import { jobs } from '../src/jobs.generated.ts';
import orderServer from '../src/operations/server/order.ts';
import { BatchQueue } from '../src/wire/batch-queue.ts';
import { writeTogether } from '../src/wire/write.ts';
import type { Job } from '../src/work/job.ts';
import { runJob, runQueued } from '../src/work/run-job.ts';
import { type Customer, openFixture } from './fixture.ts';
import { host, smallDocument } from './small-catalog.ts';
import { until } from './until.ts';

export const SERVER_PACKAGE = '24060349-8cdb-4f49-af3f-7a490fe48d35';

type HostDocument = ReturnType<typeof host> & Record<string, unknown>;

/** What the servers' catalogue is to be, changed in place. */
export type ChangeCatalog = (document: ReturnType<typeof serverDocument>) => void;

/** The small catalogue with a second host and what reverse names, set-up, terms and licenses take. */
function serverDocument() {
  const document = smallDocument();
  const [pack] = document.server_packages;
  const [system] = document.operating_systems;
  if (pack === undefined || system === undefined) throw new Error('the small catalogue sells no server');
  const first: HostDocument = host('fra-epyc', '198.18.0.0/24', '2001:db8:1000::/56');
  const second: HostDocument = host('hel-ryzen', '198.18.4.0/24', '2001:db8:2000::/56');
  const durations = [
    { duration: 1, duration_unit: 'hour' },
    { duration: 1, duration_unit: 'month' },
    { duration: 1, duration_unit: 'year' },
  ];
  return {
    ...document,
    hosts: [first, second],
    operating_systems: [
      { ...system, license_price: 0, min_memory: 512 },
      { ...system, name: 'windows-2025', displayname: 'Windows', license_price: 19.9, min_memory: 4096 },
    ],
    server_packages: [{ ...pack, setup: 0, durations }],
  };
}

/**
 * The fixture with servers to sell, the sandbox behind them, and the queue. Nothing runs by itself: `work`
 * does all jobs that are due.
 */
export async function openServers(
  change: ChangeCatalog = () => {},
  webservers: ReadonlyMap<string, Webserver> = new Map(),
) {
  let sandbox: Pool | undefined;
  let queue: pg.Pool | undefined;
  // Before the fixture's own, which drops the database.
  after(async () => {
    await sandbox?.end();
    await queue?.end();
  });
  const fixture = await openFixture();
  const { pool, clock, catalogs, sealer, signer } = fixture;
  sandbox = new Pool({ url: fixture.database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  queue = new pg.Pool({ connectionString: fixture.database.url, max: 6 });
  queue.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const queuePool = queue;
  const log = pino({ level: 'silent' });

  async function importServers(changed: ChangeCatalog): Promise<void> {
    const document = serverDocument();
    changed(document);
    const catalog = catalogFromDocument(document);
    const imported = await transaction(pool, (tx) =>
      importCatalog(tx, catalog, 'servers', clock.now(), syncInventories),
    );
    assert.equal(imported.kind, 'imported', JSON.stringify(imported));
    await catalogs.newest(pool);
  }
  await importServers(change);

  const payments = new SandboxPayments({ db: sandbox, clock, secret: Buffer.from('test') });
  const ports: CommandPorts = {
    outbound: openOutbound({ resolve: async () => [] }),
    dns: new SandboxDns({ db: sandbox, clock, server: null }),
    hypervisor: routedHypervisor({
      connectionOf: (name) => catalogs.current().hosts.get(name)?.hypervisor ?? null,
      connections: new Map([['sandbox', new SandboxHypervisor({ db: sandbox, clock })]]),
    }),
    mail: new SandboxMailer({ db: sandbox, clock }),
    resolver: new SandboxResolver(sandbox),
    registry: new RoutedRegistries(new Map([['sandbox', new SandboxRegistry({ db: sandbox, clock })]])),
    vat: new SandboxVatRegister(),
    storage: new DiskStorage(join(tmpdir(), `files-${randomUUID()}`)),
    webserver: routedWebserver({
      connectionOf: (name) => catalogs.current().webHosts.get(name)?.webserver ?? null,
      connections: new Map([['sandbox', new SandboxWebserver({ db: sandbox, clock })], ...webservers]),
    }),
    payment: routedPayments({
      providers: new Map([['sandbox', payments]]),
      offers: () => true,
      transferInstructions: async () => null,
    }),
  };
  const results: { job: string; result: string }[] = [];
  const options = {
    jobs,
    pool,
    ports,
    clock,
    context: { catalogs, sealer, signer, log },
    observe: (job: string, result: string) => void results.push({ job, result }),
  };

  /** One run of one job, as the worker does it. */
  const run = (job: Job, payload: unknown = {}, with_: Partial<typeof options> = {}) =>
    runJob({ ...options, ...with_ }, job, payload);

  /** Does every job in the queue that is due, as a worker would; failed ones stay, to be tried again. */
  async function work(): Promise<void> {
    await runOnce({
      pgPool: queuePool,
      concurrency: 4,
      noHandleSignals: true,
      logger: new WorkerLogger(() => () => {}),
      taskList: Object.fromEntries(
        jobs.map((job): [string, Task] => [
          job.name,
          (payload, { job: queued }) => runQueued(options, job, payload, queued),
        ]),
      ),
    });
    // The queue says that it is done before it has written that its last jobs are.
    const underWay = 'SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL';
    const written = async () => ((await queuePool.query(underWay)).rows.length === 0 ? true : null);
    await until(written, () => 'a job is under way for ever', 2);
  }

  /** What happens to services by itself, and the work that comes of it. */
  async function live(): Promise<void> {
    await run(serviceLifecycle);
    await work();
  }

  const writes = new BatchQueue((items) => writeTogether(pool, items), false);

  /** Orders a server; the answer's data, whatever it is. */
  async function order(who: Customer, input: object = {}): Promise<OrderedData> {
    const outcome = await writes.submit(fixture.item(orderServer, who, { ...SERVER_ORDER, ...input }));
    if (outcome.kind !== 'answered') throw outcome.kind === 'refused' ? outcome.refusal : new Error('locked');
    return outcome.data as OrderedData;
  }

  /** The sandbox's machines, as that other system has them. */
  async function machines() {
    const { rows } = await pool.pg.query<{
      server_id: string;
      node: string;
      installs: number;
      power: string;
      ipv4: string;
      login_hash: Buffer;
    }>('SELECT *, ipv4::text, ipv6::text FROM sandbox.machines ORDER BY server_id');
    return rows;
  }

  /** What must hold of capacity and addresses after anything, beside the money. */
  async function stockProblems(): Promise<string[]> {
    const { rows } = await pool.pg.query<{ problem: string }>(`
      SELECT 'capacity of ' || n.name AS problem FROM nodes n
        LEFT JOIN (SELECT v.host, v.node, sum(v.cores) AS cores, sum(v.memory) AS memory, sum(v.disk) AS disk
                   FROM servers v JOIN services s ON s.id = v.id
                   WHERE v.removed_at IS NULL AND s.state <> 'error' GROUP BY v.host, v.node) u
          ON u.host = n.host AND u.node = n.name
        WHERE n.cores_used <> coalesce(u.cores, 0) OR n.memory_used <> coalesce(u.memory, 0)
           OR n.disk_used <> coalesce(u.disk, 0)
           OR n.cores_used > n.cores_total OR n.memory_used > n.memory_total OR n.disk_used > n.disk_total
      UNION ALL SELECT 'addresses of a removed server ' || s.id FROM services s JOIN servers v ON v.id = s.id
        JOIN addresses a ON a.server_id = s.id WHERE v.removed_at IS NOT NULL OR s.state = 'error'
      UNION ALL SELECT 'no address for ' || s.id FROM services s JOIN servers v ON v.id = s.id
        WHERE v.removed_at IS NULL AND s.state <> 'error' AND NOT EXISTS (SELECT FROM addresses a WHERE a.server_id = s.id)
      UNION ALL SELECT 'address on another host ' || a.address FROM addresses a
        JOIN servers v ON v.id = a.server_id WHERE v.host <> a.host`);
    return [...rows.map((row) => row.problem), ...(await fixture.booksProblems())];
  }

  return {
    ...fixture,
    importServers,
    ports,
    payments,
    log,
    run,
    work,
    live,
    results,
    order,
    machines,
    stockProblems,
    sandbox,
    queue,
  };
}

export type Servers = Awaited<ReturnType<typeof openServers>>;

export const SERVER_ORDER = {
  host: 'fra-epyc',
  pack_uuid: SERVER_PACKAGE,
  os: 'debian-13',
  hostname: 'web.example.com',
  duration: 1,
  tos: true,
  cancellation: true,
};

/** The data of an order, or of its dry run: tests read what they are about. */
export interface OrderedData {
  readonly order_id: string;
  readonly server_uuid: string;
  readonly transaction_uuid: string;
  readonly expire_at: string;
  readonly state: string;
  readonly pricings: { readonly month: number; readonly year: number; readonly hour: number };
  readonly charged: { readonly gross: number; readonly gross_minor: number };
  readonly hostsystem: { readonly node: string };
  readonly config: {
    readonly password: string | null;
    readonly ipv4: { readonly ip_address: string; readonly rdns: string };
    readonly ipv6: { readonly ip_address: string };
  };
  readonly task: { readonly uuid: string; readonly state: string };
  readonly quote: {
    readonly gross: number;
    readonly in_stock: boolean;
    readonly renewal_gross: number;
    readonly lines: readonly { readonly description: string; readonly net: number }[];
  };
}
