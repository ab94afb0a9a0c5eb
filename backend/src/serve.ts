import type { AddressInfo } from 'node:net';
import type { Listening } from './base/listening.ts';
import type { ServerAddress } from './base/name-server.ts';
import { CatalogStore } from './business/core/catalog/versions.ts';
import { openSigner } from './business/core/signing.ts';
import { isForged } from './business/notifications/mail/reply-address.ts';
import { receiveMail } from './business/support/incoming/receive.ts';
import { ConfigError } from './config.ts';
import { CONTRACT } from './contract.ts';
import { throughLosses } from './db/reachable.ts';
import type { Installation } from './installation.ts';
import { operations } from './operations.generated.ts';
import { openPorts, refuseMappings } from './ports.ts';
import { Consoles } from './wire/console/consoles.ts';
import { addConsolePage } from './wire/console/page-routes.ts';
import { addConsoleSocket, isConsoleUpgrade } from './wire/console/socket-route.ts';
import { addDownloadRoute } from './wire/download.ts';
import { Drain } from './wire/drain.ts';
import { Health } from './wire/health.ts';
import { openHealthListener } from './wire/health-listener.ts';
import type { HealthRoutesOptions } from './wire/health-routes.ts';
import { httpServer } from './wire/http.ts';
import { addLinkPages } from './wire/link-pages.ts';
import { Metrics } from './wire/metrics.ts';
import { addPaymentWebhookRoute } from './wire/payment-webhook.ts';
import { addReferralRoute } from './wire/referral.ts';
import { addReturnPage } from './wire/return-page.ts';
import { Runner } from './wire/run.ts';
import { addSandboxPaymentPage } from './wire/sandbox-payment.ts';
import { addSystemRoutes } from './wire/system.ts';
import { TaskWaiter } from './wire/task-waiter.ts';
import type { Job } from './work/job.ts';
import { startWorker } from './work/worker.ts';

export interface Running {
  readonly address: string;
  /** Of health and metrics; null: they are off. */
  readonly health: string | null;
  /** Where this process is the sandbox's name server; null: it is not. */
  readonly nameServer: ServerAddress | null;
  /** At once: without going on for the time that load balancers need to learn of it. */
  stop(how?: { readonly atOnce: boolean }): Promise<void>;
}

/** Serves the interface until stopped, and runs these jobs in the same process; null: jobs are run elsewhere. */
export async function serve(installation: Installation, worker: readonly Job[] | null): Promise<Running> {
  const { config, log, clock, sealer, readPool, writePool, counterPool } = installation;
  const catalogs = await throughLosses(installation, () => new CatalogStore(readPool).open());
  const metrics = metricsOf(installation);
  const signer = await throughLosses(installation, () => openSigner(readPool, sealer, clock.now()));
  const ports = await openPorts(installation, catalogs);
  refuseMappings(ports, catalogs);
  let publicUrl = config.publicUrl?.replace(/\/+$/, '') ?? '';
  const taskWaiter = new TaskWaiter(readPool);
  const drain = new Drain();
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
    limits: {
      perToken: config.tokenRate,
      perAccount: config.accountRate,
      perAddress: config.addressRate,
    },
    log,
    metrics,
    taskWaiter,
  });
  const app = httpServer({
    operations,
    runner,
    log,
    accessLog: config.accessLog,
    publicUrl: () => publicUrl,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    maxConnections: config.maxConnections,
    takesUpgrade: isConsoleUpgrade,
    isDraining: () => drain.isDraining,
  });
  drain.watch(app.server);
  const health = new Health({ db: readPool, catalogs, clock, reasons: [() => drain.check()] });
  const watched = { health, metrics, db: readPool, clock, log };
  addSystemRoutes(app, {
    ...watched,
    operations,
    contract: CONTRACT,
    publicUrl: () => publicUrl,
    countStranger: (ip) => runner.countStranger(ip),
  });
  addLinkPages(app);
  addDownloadRoute(app, {
    pool: writePool,
    clock,
    sealer,
    storage: ports.storage,
    countStranger: (ip) => runner.countStranger(ip),
  });
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
  addReturnPage(app, { db: readPool, countStranger: (ip) => runner.countStranger(ip) });
  addPaymentWebhookRoute(app, { pool: writePool, payments: ports.payment, clock, log });
  await addSandboxPaymentPage(app, {
    pool: writePool,
    sandbox: ports.sandboxPayments,
    offered: () => ports.payment.provider('sandbox') !== null,
    clock,
    log,
  });
  try {
    await app.listen({ host: config.listen, port: config.port });
  } catch (error) {
    await app.close();
    await ports.close();
    throw cannotListen(error, `${config.listen} port ${config.port}`);
  }
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
  let apart: Awaited<ReturnType<typeof listenForHealth>> | undefined;
  const close = async () => {
    taskWaiter.stop();
    await drain.close(app, log);
    await apart?.close();
    await ports.nameServer?.close();
  };
  try {
    const { healthListen = ANY_PORT } = config;
    if (healthListen !== 'off') apart = await listenForHealth(healthListen, watched);
    const working = worker === null ? null : await work(installation, worker, { catalogs, metrics });
    return {
      address: listening,
      health: apart?.address ?? null,
      nameServer: ports.nameServer?.address ?? null,
      async stop({ atOnce } = { atOnce: false }) {
        if (!atOnce) await drain.drain(config.drainSeconds);
        await close();
        await working?.stop();
        await ports.close();
      },
    };
  } catch (error) {
    await close();
    await ports.close();
    throw error;
  }
}

/** Any free port of this machine, so that any number of processes fit beside each other. */
const ANY_PORT: Listening = { host: '127.0.0.1', port: 0 };

const LISTENING_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken: stop the program that listens there, or choose another by --port',
  EADDRNOTAVAIL: 'this machine does not have that address: choose another by --listen',
  ENOTFOUND: 'that name has no address: choose an address by --listen',
  EACCES: 'the system does not let this user listen there: choose a port above 1023 by --port',
};

/** What the operator can do about an address that cannot be listened on; the error itself where that is unknown. */
function cannotListen(error: unknown, where: string): unknown {
  const problem = LISTENING_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
  if (problem === undefined) return error;
  return new ConfigError(`${where} cannot be listened on: ${problem}`);
}

function metricsOf({ readPool, writePool, counterPool, machineAhead }: Installation): Metrics {
  return new Metrics({ pools: { read: readPool, write: writePool, counter: counterPool }, machineAhead });
}

async function listenForHealth(where: Listening, watched: HealthRoutesOptions) {
  try {
    return await openHealthListener(where, watched);
  } catch (error) {
    throw cannotListen(error, `HOSTKEEP_HEALTH_LISTEN: ${where.host} port ${where.port}`);
  }
}

/**
 * Runs these jobs until stopped, in a process that serves no interface: on a listener of its own it answers for its
 * health, at any free port of this machine unless another is configured, so that any number of workers fit beside each
 * other. `health` is its address; null: it is off.
 */
export async function workAlone(
  installation: Installation,
  jobs: readonly Job[],
): Promise<{ readonly health: string | null; stop(): Promise<void> }> {
  const { config, readPool, clock, log } = installation;
  const catalogs = await throughLosses(installation, () => new CatalogStore(readPool).open());
  const metrics = metricsOf(installation);
  const { healthListen = ANY_PORT } = config;
  const health = new Health({ db: readPool, catalogs, clock, reasons: [] });
  const watched = { health, metrics, db: readPool, clock, log };
  const listener = healthListen === 'off' ? null : await listenForHealth(healthListen, watched);
  try {
    const working = await work(installation, jobs, { catalogs, metrics });
    return {
      health: listener?.address ?? null,
      async stop() {
        await working.stop();
        await listener?.close();
      },
    };
  } catch (error) {
    await listener?.close();
    throw error;
  }
}

/** Runs these jobs until stopped. */
async function work(
  installation: Installation,
  jobs: readonly Job[],
  { catalogs, metrics }: { readonly catalogs: CatalogStore; readonly metrics: Metrics },
): Promise<{ stop(): Promise<void> }> {
  const { config, log, clock, sealer, readPool, jobPool, directUrl } = installation;
  const signer = await throughLosses(installation, () => openSigner(readPool, sealer, clock.now()));
  const ports = await openPorts(installation, catalogs);
  refuseMappings(ports, catalogs);
  const worker = await startWorker({
    jobs,
    directUrl,
    pool: jobPool,
    ports,
    clock,
    context: { catalogs, sealer, signer, log },
    concurrency: config.workers,
    ...(config.workersPerBackend === undefined ? {} : { perBackend: config.workersPerBackend }),
    observe: (job, result) => metrics.jobs.labels(job, result).inc(),
  });
  const isTaken = (recipient: string) => {
    const base = catalogs.current().content.support.address;
    return base === null || !isForged(sealer, base, recipient);
  };
  const stop = async () => {
    for (const inbox of ports.inboxes) await inbox.close();
    await worker.stop();
    await ports.close();
  };
  try {
    for (const inbox of ports.inboxes)
      await inbox.open((mail) => receiveMail(jobPool, mail, clock.now()), isTaken);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
