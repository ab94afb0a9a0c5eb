import type { AddressInfo } from 'node:net';
import { CatalogStore } from './business/catalog/versions.ts';
import { openSigner } from './business/signing.ts';
import { receiveMail } from './business/tickets/receive.ts';
import { isForged } from './business/tickets/reply-address.ts';
import type { Installation } from './installation.ts';
import { operations } from './operations.generated.ts';
import { openPorts, refuseMappings } from './ports.ts';
import { Consoles } from './wire/console/consoles.ts';
import { addConsolePage } from './wire/console/page-routes.ts';
import { addConsoleSocket, isConsoleUpgrade } from './wire/console/socket-route.ts';
import { addDownloadRoute } from './wire/download.ts';
import { httpServer } from './wire/http.ts';
import { addLinkPages } from './wire/link-pages.ts';
import { Metrics } from './wire/metrics.ts';
import { addPaymentWebhookRoute } from './wire/payment-webhook.ts';
import { addReferralRoute } from './wire/referral.ts';
import { Runner } from './wire/run.ts';
import { addSandboxPaymentPage } from './wire/sandbox-payment.ts';
import { addSystemRoutes } from './wire/system.ts';
import { TaskWaiter } from './wire/task-waiter.ts';
import type { Job } from './work/job.ts';
import { startWorker } from './work/worker.ts';

export interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

/** Serves the interface until stopped, and runs these jobs in the same process; null: jobs are run elsewhere. */
export async function serve(installation: Installation, worker: readonly Job[] | null): Promise<Running> {
  const { config, log, clock, sealer, readPool, writePool, counterPool } = installation;
  const catalogs = await new CatalogStore(readPool).open();
  const metrics = new Metrics();
  const signer = await openSigner(readPool, sealer, clock.now());
  const ports = await openPorts(installation, catalogs);
  refuseMappings(ports, catalogs);
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
    takesUpgrade: isConsoleUpgrade,
  });
  addSystemRoutes(app, {
    operations,
    metrics,
    db: readPool,
    catalogs,
    publicUrl: () => publicUrl,
    clock,
    log,
  });
  addLinkPages(app);
  addDownloadRoute(app, { pool: writePool, clock, sealer, storage: ports.storage });
  const observe = (open: number) => metrics.consoles.set(open);
  const { hypervisor } = ports;
  addConsoleSocket(app, {
    consoles: new Consoles({ pool: writePool, hypervisor, clock, log, observe }),
    publicUrl: () => publicUrl,
    origins: config.consoleOrigins,
    countStranger: (ip) => runner.countStranger(ip),
  });
  addConsolePage(app, () => publicUrl);
  addReferralRoute(app, { db: counterPool, clock, catalogs, publicUrl: () => publicUrl });
  addPaymentWebhookRoute(app, { pool: writePool, payments: ports.payment, clock, log });
  await addSandboxPaymentPage(app, {
    pool: writePool,
    sandbox: ports.sandboxPayments,
    offered: () => ports.payment.provider('sandbox') !== null,
    clock,
    log,
  });
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
  await ports.nameServer?.open();
  const working = worker === null ? null : await work(installation, worker, { catalogs, metrics });
  return {
    address: listening,
    async stop() {
      await app.close();
      await ports.nameServer?.close();
      await working?.stop();
      await ports.close();
    },
  };
}

/** Runs these jobs until stopped. */
export async function work(
  installation: Installation,
  jobs: readonly Job[],
  shared: { catalogs?: CatalogStore; metrics?: Metrics } = {},
): Promise<{ stop(): Promise<void> }> {
  const { config, log, clock, sealer, readPool, writePool, directUrl } = installation;
  const catalogs = shared.catalogs ?? (await new CatalogStore(readPool).open());
  const metrics = shared.metrics ?? new Metrics();
  const ports = await openPorts(installation, catalogs);
  refuseMappings(ports, catalogs);
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
  const isTaken = (recipient: string) => {
    const base = catalogs.current().content.support.address;
    return base === null || !isForged(sealer, base, recipient);
  };
  for (const inbox of ports.inboxes)
    await inbox.open((mail) => receiveMail(writePool, mail, clock.now()), isTaken);
  return {
    async stop() {
      for (const inbox of ports.inboxes) await inbox.close();
      await worker.stop();
      await ports.close();
    },
  };
}
