import type { AddressInfo } from 'node:net';
import { CatalogStore } from './business/catalog/versions.ts';
import { openSigner } from './business/signing.ts';
import type { Installation } from './installation.ts';
import { jobs } from './jobs.generated.ts';
import { operations } from './operations.generated.ts';
import { openPorts } from './ports.ts';
import { httpServer } from './wire/http.ts';
import { Metrics } from './wire/metrics.ts';
import { Runner } from './wire/run.ts';
import { addSystemRoutes } from './wire/system.ts';
import { TaskWaiter } from './wire/task-waiter.ts';
import { startWorker } from './work/worker.ts';

export interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

/** Serves the interface until stopped; with `worker`, runs jobs in the same process too. */
export async function serve(installation: Installation, { worker }: { worker: boolean }): Promise<Running> {
  const { config, log, clock, sealer, readPool, writePool, counterPool } = installation;
  const catalogs = await new CatalogStore(readPool).open();
  const metrics = new Metrics();
  const signer = await openSigner(readPool, sealer, clock.now());
  const ports = openPorts(installation, catalogs);
  let publicUrl = config.publicUrl?.replace(/\/+$/, '') ?? '';
  const runner = new Runner({
    clock,
    readPool,
    writePool,
    counterPool,
    catalogs,
    ports,
    sealer,
    signer,
    get publicUrl() {
      return publicUrl;
    },
    registration: config.registration,
    limits: { perToken: config.tokenRate, perAddress: config.addressRate },
    log,
    metrics,
    taskWaiter: new TaskWaiter(readPool),
  });
  const app = httpServer({
    operations,
    runner,
    log,
    publicUrl: () => publicUrl,
    trustedProxies: config.trustedProxies,
  });
  addSystemRoutes(app, { operations, metrics, db: readPool, catalogs, publicUrl: () => publicUrl });
  await app.listen({ host: config.listen, port: config.port });
  const { address, port } = app.server.address() as AddressInfo;
  const shown =
    address === '::' || address === '0.0.0.0'
      ? 'localhost'
      : address.includes(':')
        ? `[${address}]`
        : address;
  const listening = `http://${shown}:${port}`;
  publicUrl ||= listening;
  const working = worker ? await work(installation, { catalogs, metrics }) : null;
  return {
    address: listening,
    async stop() {
      await app.close();
      await working?.stop();
      await ports.close();
    },
  };
}

/** Runs jobs until stopped. */
export async function work(
  installation: Installation,
  shared: { catalogs?: CatalogStore; metrics?: Metrics } = {},
): Promise<{ stop(): Promise<void> }> {
  const { config, log, clock, sealer, readPool, writePool, directUrl } = installation;
  const catalogs = shared.catalogs ?? (await new CatalogStore(readPool).open());
  const metrics = shared.metrics ?? new Metrics();
  const ports = openPorts(installation, catalogs);
  const worker = await startWorker({
    jobs,
    directUrl,
    pool: writePool,
    ports,
    clock,
    context: { catalogs, sealer, signer: await openSigner(readPool, sealer, clock.now()), log },
    concurrency: config.workers,
    observe: (job, result) => metrics.jobs.labels(job, result).inc(),
  });
  return {
    async stop() {
      await worker.stop();
      await ports.close();
    },
  };
}
