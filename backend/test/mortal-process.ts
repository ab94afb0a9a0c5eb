/**
 * A process of Hostkeep that is told what to do, and at which point of it to be killed: one request of the API, or a
 * worker's shift. Started by mortal.ts.
 *   node mortal-process.ts <json: { url, node }>
 */
import { flushCompileCache } from 'node:module';
import { Logger, runOnce } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { SetClock } from '../src/base/clock.ts';
import { Sealer } from '../src/base/seal.ts';
import { generateSigningKey, signerOf } from '../src/base/sign.ts';
import { CatalogStore } from '../src/business/core/catalog/versions.ts';
import '../src/business/products.ts';
import pending from '../src/business/selling/orders/pending.job.ts';
import life from '../src/business/selling/subscriptions/renewal/lifecycle.job.ts';
import retry from '../src/business/selling/subscriptions/renewal/retry.job.ts';
import reinstallJob from '../src/business/servers/changes/reinstall.job.ts';
import snapshot from '../src/business/servers/copies/snapshot.job.ts';
import enforce from '../src/business/servers/machine/converge.job.ts';
import stranded from '../src/business/servers/machine/orphaned.job.ts';
import provision from '../src/business/servers/machine/provision.job.ts';
import removeDeleted from '../src/business/servers/machine/remove-deleted.job.ts';
import { APPLICATION_ROLE } from '../src/db/migrate.ts';
import { Pool } from '../src/db/pool.ts';
import type { Hypervisor } from '../src/drivers/hypervisor/port.ts';
import { SandboxHypervisor } from '../src/drivers/hypervisor/sandbox/hypervisor.ts';
import cancel from '../src/operations/server/cancel.ts';
import order from '../src/operations/server/order.ts';
import reinstall from '../src/operations/server/reinstall.ts';
import snapshotCreate from '../src/operations/server/snapshot-create.ts';
import { Runner } from '../src/wire/run.ts';
import { TaskWaiter } from '../src/wire/task-waiter.ts';
import { runJob } from '../src/work/run-job.ts';
import { FaultPoints } from './fault-points.ts';
import type { Done, Order, RequestStep, ShiftStep } from './mortal.ts';

// What these tests are about, rather than all: the process is started hundreds of times.
const operations = [order, reinstall, snapshotCreate, cancel];
const jobs = [provision, reinstallJob, snapshot, enforce, life, retry, pending, stranded, removeDeleted];

const { url, node } = JSON.parse(process.argv[2] ?? '');
// The queue says that it is done before it has written that its last jobs are.
const UNDER_WAY = 'SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL';
const points = new FaultPoints();
points.watchStatements(UNDER_WAY);
const name = `mortal-${process.pid}`;
const clock = new SetClock(Temporal.Instant.from('2027-01-01T00:00:00Z'));
const log = pino({ level: process.env.HOSTKEEP_TEST_LOG ?? 'silent' });
// The same in every process, as that of an installation is.
const sealer = new Sealer('test', new Map([['test', Buffer.alloc(32, 7)]]));
const signer = signerOf('test', generateSigningKey().privateKeyPkcs8);
const pool = new Pool({ url, size: 6, name, role: APPLICATION_ROLE });
const queue = new pg.Pool({ connectionString: url, max: 3, application_name: name });
queue.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
// Nothing else is asked or told.
const ports = { hypervisor: points.watchCommands(await hypervisorOf(node)) } as never;

/** The sandbox; with a node's settings that node, as the catalogue's only host. */
async function hypervisorOf(settings: unknown): Promise<Hypervisor> {
  if (settings === null) {
    const db = new Pool({ url, size: 2, name, role: APPLICATION_ROLE });
    return new SandboxHypervisor({ db, clock });
  }
  const { openQemu } = await import('./mortal-qemu.ts');
  return openQemu(settings, (point) => points.reach(`before ${point}`));
}

/** As a process that was just started: nothing is remembered of the requests before. */
async function request(catalogs: CatalogStore, { path, input, token, key }: RequestStep) {
  const operation = operations.find((known) => known.path === path);
  if (operation === undefined) throw new Error(`there is no operation ${path}`);
  const runner = new Runner({
    clock,
    readPool: pool,
    writePool: pool,
    counterPool: pool,
    catalogs,
    ports,
    sealer,
    signer,
    publicUrl: 'https://hostkeep.example',
    registration: 'open',
    limits: { perToken: 1_000_000, perAddress: 1_000_000 },
    log,
    metrics: { observe: () => {} },
    taskWaiter: new TaskWaiter(pool),
  });
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${token}`,
    'idempotency-key': key,
  };
  const body = Buffer.from(JSON.stringify(input));
  const answer = await runner.run({
    operation,
    ip: '192.0.2.1',
    query: '',
    body,
    header: (field) => headers[field],
  });
  await runner.close();
  return { status: answer.status, body: answer.body };
}

/** What a schedule begins, then whatever waits in the queue, one after the other. */
async function shift(catalogs: CatalogStore, { upkeep }: ShiftStep): Promise<string[]> {
  const options = { jobs, pool, ports, clock, context: { catalogs, sealer, signer, log }, observe: () => {} };
  const failures: string[] = [];
  for (const job of jobs.filter((known) => upkeep.includes(known.name))) await runJob(options, job, {});
  await runOnce({
    pgPool: queue,
    concurrency: 1,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        job.name,
        (payload: unknown) =>
          runJob(options, job, payload).catch((error: unknown) => {
            failures.push(`${job.name}: ${String(error)}`);
            throw error;
          }),
      ]),
    ),
  });
  while ((await queue.query(UNDER_WAY)).rows.length > 0);
  return failures;
}

process.on('message', async ({ now, fatal, step }: Order) => {
  clock.set(Temporal.Instant.from(now));
  const catalogs = await new CatalogStore(pool).open();
  points.begin(fatal);
  try {
    const answer = step.kind === 'request' ? await request(catalogs, step) : null;
    const failures = step.kind === 'shift' ? await shift(catalogs, step) : [];
    // The queue does not wait to hear that its last job's end is written.
    await points.answered();
    process.send?.({ points: points.reached, answer, failures } satisfies Done);
  } catch (error) {
    process.send?.({ error: error instanceof Error ? String(error.stack) : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
// As Node does at the end of a process: of one that is killed it keeps nothing.
flushCompileCache();
process.send?.('ready');
