import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { CatalogStore } from '../backend/src/business/core/catalog/versions.ts';
import { openSigner } from '../backend/src/business/core/signing.ts';
import { parseCommandLine } from '../backend/src/config.ts';
import type {
  DomainAvailability,
  DomainQuestion,
  RegistryDriver,
} from '../backend/src/drivers/registry/port.ts';
import { RoutedRegistries } from '../backend/src/drivers/registry/routing.ts';
import { openInstallation } from '../backend/src/installation.ts';
import { operation } from '../backend/src/operation.ts';
import check from '../backend/src/operations/domain/check.ts';
import { openPorts } from '../backend/src/ports.ts';
import { httpServer } from '../backend/src/wire/http.ts';
import { Metrics } from '../backend/src/wire/metrics.ts';
import { Runner } from '../backend/src/wire/run.ts';
import { TaskWaiter } from '../backend/src/wire/task-waiter.ts';
import { answerCalls } from './process.ts';

/** Hostkeep's API in a process of its own, with registries that take a given time for an answer. */
export interface DomainServerStart {
  readonly url: string;
  readonly data: string;
  readonly keyFile: string;
  readonly registries: readonly string[];
  readonly answerMs: number;
}

export interface DomainServerStarted {
  readonly port: number;
}

/** A registry that is a certain way off, and then knows everything of all names that it is asked about at once. */
class DistantRegistry implements RegistryDriver {
  readonly #answerMs: number;

  constructor(answerMs: number) {
    this.#answerMs = answerMs;
  }

  async check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await after(this.#answerMs, undefined, { signal });
    for (const [at, { domain }] of questions.entries()) {
      const available = at % 2 === 0;
      answer({ domain, available, reason: available ? null : 'taken', premium: null });
    }
  }
}

/** What every request costs that asks for nothing: its way through the wire, the token, the rate, the envelope. */
const nothing = operation({
  method: 'POST',
  path: 'bench/nothing',
  summary: 'Nothing',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject({}),
  output: z.object({}),
  message: { en: 'Nothing was done.', de: 'Nichts wurde getan.' },
  errors: [],
  example: { input: {} },
  read: () => ({}),
});

async function start(order: DomainServerStart): Promise<DomainServerStarted> {
  const { config } = parseCommandLine([], {
    DATABASE_URL: order.url,
    HOSTKEEP_DATA: order.data,
    HOSTKEEP_KEY_FILE: order.keyFile,
    HOSTKEEP_RATE_TOKEN: '10000000',
    HOSTKEEP_RATE_ADDRESS: '10000000',
    HOSTKEEP_LOG_LEVEL: 'warn',
  });
  const installation = await openInstallation(config, 'bench');
  const { log, clock, sealer, readPool, writePool, counterPool } = installation;
  const catalogs = await new CatalogStore(readPool).open();
  const distant = order.registries.map((name) => [name, new DistantRegistry(order.answerMs)] as const);
  const runner = new Runner({
    clock,
    readPool,
    writePool,
    counterPool,
    catalogs,
    ports: {
      ...(await openPorts(installation, catalogs)),
      registry: new RoutedRegistries(new Map(distant), { deadlineMs: config.checkDeadlineMs }),
    },
    sealer,
    signer: await openSigner(readPool, sealer, clock.now()),
    publicUrl: 'http://127.0.0.1',
    registration: config.registration,
    limits: { perToken: config.tokenRate, perAddress: config.addressRate },
    log,
    metrics: new Metrics(),
    taskWaiter: new TaskWaiter(readPool),
  });
  const app = httpServer({
    operations: [check, nothing],
    runner,
    log,
    publicUrl: () => 'http://127.0.0.1',
    trustedProxies: [],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port };
}

answerCalls(start);
