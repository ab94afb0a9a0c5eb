import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import { pino } from 'pino';
import { SetClock } from '../src/base/clock.ts';
import { type Outbound, openOutbound } from '../src/base/outbound.ts';
import { Sealer } from '../src/base/seal.ts';
import { issueToken, newTokenSecret, type TokenDraft } from '../src/business/core/access/token.ts';
import { adjustBalance } from '../src/business/core/accounts/adjust.ts';
import { createCustomer, createStaff } from '../src/business/core/accounts/customer.ts';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import { parseCatalog } from '../src/business/core/catalog/parse.ts';
import type { Catalog } from '../src/business/core/catalog/schema/schema.ts';
import { syncInventories } from '../src/business/products.ts';
import { type Config, parseCommandLine } from '../src/config.ts';
import { APPLICATION_ROLE } from '../src/db/migrate.ts';
import { Pool } from '../src/db/pool.ts';
import { transaction } from '../src/db/transaction.ts';
import type { Installation } from '../src/installation.ts';
import { jobs } from '../src/jobs.generated.ts';
import type { Operation } from '../src/operation.ts';
import { operations } from '../src/operations.generated.ts';
import { serve } from '../src/serve.ts';
import type { Job } from '../src/work/job.ts';
import { createTestDatabase } from './database.ts';
import { HttpClient, type Received } from './http-client.ts';
import { until } from './until.ts';
import { assertWorded } from './worded.ts';

/** Somebody with a token. */
export interface Caller {
  readonly accountId: string | null;
  readonly userId: string;
  readonly tokenId: string;
  readonly token: string;
}

/** One request, to whichever operation. */
export interface Call {
  readonly input?: unknown;
  /** null: without a token. */
  readonly as: Caller | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another installation, where it must be one that is set up differently. */
  readonly on?: { call(operation: Operation | string, given: Call): Promise<Answered> };
}

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** With its body parsed: tests look into JSON of every shape, and fail where there is not what they look for. */
export interface Answered extends Received {
  readonly body: ReturnType<typeof JSON.parse>;
}

/** The name of jobs that no worker knows: what is in the queue only to be looked at. */
export const NO_WORK = 'test.nothing';
const DEMO = new URL('../src/business/core/catalog/demo.yaml', import.meta.url);
/** Longer than any pause of a busy machine: nothing is refused because the machine is slow. */
const LOCK_TIMEOUT_MS = 60_000;
const IMPATIENT_MS = 50;
/** In the queue, and to be done now. */
const WORK = `SELECT task_identifier FROM graphile_worker.jobs
  WHERE task_identifier <> '${NO_WORK}' AND (locked_at IS NOT NULL OR (run_at <= now() AND attempts < max_attempts))`;

interface HarnessOptions {
  readonly settings?: Partial<Config>;
  /** Another harness's, to add to. */
  readonly seen?: Set<string>;
  /** A way to the database for what requests do. */
  readonly through?: (url: string) => Promise<string>;
  /** A way to what customers name; without it, no name leads anywhere. */
  readonly outbound?: Outbound;
  /** What is sold otherwise than in the demo. */
  readonly catalog?: (demo: Catalog) => Catalog;
  /** How long all that is done waits for what others hold. */
  readonly lockTimeoutMs?: number;
  /**
   * Has maintenance come by the machine's minutes, for what is real behind a port. Without it maintenance comes when it is enqueued
   * or run by the test: those minutes have nothing to do with its own clock.
   */
  readonly upkeep?: boolean;
  /** Has `logged` hold everything that is logged. */
  readonly logLevel?: 'trace';
}

/**
 * The whole program in this process, served over HTTP on a free port: API, worker, sandbox back ends and the demo
 * catalogue, on a database of its own, by a clock that stands still. Closed when the test file ends.
 * `logged` are the program's own faults, `seen` every error that was answered, as `path code`.
 */
export async function openHarness(options: HarnessOptions = {}) {
  const { settings = {}, seen = new Set<string>() } = options;
  const database = await createTestDatabase();
  const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));
  const logged: string[] = [];
  const url = (await options.through?.(database.url)) ?? database.url;
  const openPools = (lockTimeoutMs: number) => {
    const pool = (name: string, size: number, synchronousCommit = true) =>
      new Pool({ url, size, name: `test-${name}`, role: APPLICATION_ROLE, lockTimeoutMs, synchronousCommit });
    const pools = {
      readPool: pool('read', 4),
      writePool: pool('write', 6),
      counterPool: pool('counter', 1, false),
      jobPool: pool('job', 6),
    };
    const close = async () => {
      await Promise.all(Object.values(pools).map((open) => open.end()));
    };
    return { ...pools, close };
  };
  const { config } = parseCommandLine([], {
    HOSTKEEP_PORT: '0',
    HOSTKEEP_RATE_TOKEN: '10000000',
    HOSTKEEP_RATE_ACCOUNT: '10000000',
    HOSTKEEP_RATE_ADDRESS: '10000000',
    // Its port could be that of another program's.
    HOSTKEEP_SANDBOX_DNS: 'off',
    // Requests can say in X-Forwarded-For where they come from.
    HOSTKEEP_TRUSTED_PROXIES: '127.0.0.1',
  });
  const installation: Installation = {
    config: { ...config, ...settings },
    log: pino({ level: options.logLevel ?? 'error' }, { write: (line: string) => logged.push(line) }),
    sealer: new Sealer('test', new Map([['test', randomBytes(32)]])),
    keyFile: '',
    machineAhead: () => 0,
    clock,
    outbound: options.outbound ?? openOutbound({ resolve: async () => [] }),
    url,
    directUrl: database.url,
    ownerUrl: database.url,
    ...openPools(options.lockTimeoutMs ?? LOCK_TIMEOUT_MS),
  };
  const { writePool } = installation;
  const reading = parseCatalog(readFileSync(DEMO, 'utf8'));
  assert.ok(reading.ok, 'the demo catalogue is right');
  const { catalog: changed = (demo: Catalog) => demo } = options;
  const catalog = changed(forTests(reading.catalog));
  await transaction(writePool, (tx) => importCatalog(tx, catalog, 'test', clock.now(), syncInventories));
  const running = await serve(installation, options.upkeep === true ? jobs : jobs.map(unscheduled));
  const client = new HttpClient(running.address);
  const { call, send } = doorOf(client, seen);
  // A process of its own would end by it.
  const onUnhandled = (reason: unknown) => logged.push(`unhandled: ${(reason as Error).stack}`);
  process.on('unhandledRejection', onUnhandled);
  after(async () => {
    process.off('unhandledRejection', onUnhandled);
    client.close();
    await running.stop();
    await installation.close();
    await closeImpatient?.();
    await database.drop();
  });

  /** An account of its own with this balance, and its owner's token. */
  async function customer(
    balance = 100_000n,
    draft: Partial<TokenDraft> = {},
  ): Promise<Caller & { accountId: string }> {
    const now = clock.now();
    return await transaction(writePool, async (tx) => {
      const created = await createCustomer(tx, { ...person(), currency: catalog.currency }, now);
      assert.ok(created.kind === 'created');
      const { accountId, userId } = created;
      if (balance !== 0n) await adjustBalance(tx, accountId, { amount: balance, reason: 'Test' }, now);
      const token = newTokenSecret();
      const tokenId = await issueToken(tx, { ...ownersToken(accountId, userId), ...draft }, token, now);
      return { accountId, userId, tokenId, token };
    });
  }

  async function operator(): Promise<Caller> {
    const now = clock.now();
    return await transaction(writePool, async (tx) => {
      const created = await createStaff(tx, { ...person(), staffRole: 'admin' }, now);
      assert.ok(created.kind === 'created');
      const token = newTokenSecret();
      const tokenId = await issueToken(tx, ownersToken(null, created.userId), token, now);
      return { accountId: null, userId: created.userId, tokenId, token };
    });
  }

  /** Another token of the same person. */
  async function tokenOf(caller: Caller, draft: Partial<TokenDraft>): Promise<Caller> {
    const token = newTokenSecret();
    const owners = ownersToken(caller.accountId, caller.userId);
    const tokenId = await issueToken(writePool, { ...owners, ...draft }, token, clock.now());
    return { ...caller, tokenId, token };
  }

  /** The data of a call that must succeed. If it waits for its task (Prefer), then also for what comes of that. */
  async function data(operation: Operation | string, given: Call) {
    const answer = await call(operation, given);
    assert.ok(answer.status === 200 || answer.status === 202, answer.text);
    if (given.headers?.prefer !== undefined) await idle();
    return answer.body.data;
  }

  /** Until nothing is left to do: a job may set others going, which change what its task has made. */
  async function idle(): Promise<void> {
    const work = async () => (await writePool.pg.query<{ task_identifier: string }>(WORK)).rows;
    const done = async () => ((await work()).length === 0 ? true : null);
    await until(done, async () => `at work: ${JSON.stringify(await work())}`, 5);
  }

  let closeImpatient: (() => Promise<void>) | undefined;
  let impatience: Promise<Door> | undefined;
  /** Another way in, that hardly waits for what others hold. */
  function impatient(): Promise<Door> {
    impatience ??= (async () => {
      const hasty = { ...installation, ...openPools(IMPATIENT_MS) };
      const beside = await serve(hasty, null);
      const client = new HttpClient(beside.address);
      closeImpatient = async () => {
        client.close();
        await beside.stop();
        await hasty.close();
      };
      return doorOf(client, seen);
    })();
    return impatience;
  }

  return {
    installation,
    running,
    /** What monitoring reads. */
    metrics: async () => (await fetch(`${running.health}/metrics`)).text(),
    pool: writePool,
    clock,
    catalog,
    client,
    logged,
    seen,
    customer,
    operator,
    tokenOf,
    call,
    send,
    data,
    impatient,
  };
}

type Door = ReturnType<typeof doorOf>;

/** What can be asked of the program that serves there; `seen` learns every error that it answers. */
function doorOf(client: HttpClient, seen: Set<string>) {
  /** Calls an operation as its definition says: the parameters of a GET as a JSON body, unless there are none. */
  async function call(
    operation: Operation | string,
    { input = {}, as, headers, on }: Call,
  ): Promise<Answered> {
    if (on !== undefined) return await on.call(operation, { input, as, ...(headers && { headers }) });
    const { method, path } = typeof operation === 'string' ? operationAt(operation) : operation;
    const body = method === 'GET' && JSON.stringify(input) === '{}' ? undefined : JSON.stringify(input);
    return await send(method, path, body, as, headers);
  }

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body: string | Buffer | undefined,
    as: Caller | null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const received = await client.send({
      method,
      path: `/api/v2/${path}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const answered = { ...received, body: JSON.parse(received.text) };
    if (answered.status >= 400) assertWorded(answered.body);
    if (answered.status >= 400) seen.add(`${path.replace(/\?.*$/, '')} ${answered.body.error}`);
    return answered;
  }

  return { client, call, send };
}

/** A host of the demo catalogue that has no reverse zone here. */
export const NO_RDNS_HOST = 'zrh-xeon';

/** The thirtieth of February: never. */
function unscheduled(job: Job): Job {
  return job.kind === 'maintenance' ? { ...job, schedule: '0 0 30 2 *' } : job;
}

/** With smaller pools: to write thousands of addresses that nobody takes costs more than most tests. */
function forTests(catalog: Catalog): Catalog {
  const hosts = catalog.hosts.map((host) => {
    const cidr = host.networks.ipv4.cidr.replace('/20', '/22');
    const ipv6 = { ...host.networks.ipv6, cidr: host.networks.ipv6.cidr.replace('/44', '/54') };
    const reverse = host.name === NO_RDNS_HOST ? { reverse_zone: null, name_template: null } : {};
    return { ...host, networks: { ipv4: { ...host.networks.ipv4, ...reverse, cidr }, ipv6 } };
  });
  return { ...catalog, hosts };
}

export function operationAt(path: string): Operation {
  const operation = operations.find((known) => known.path === path);
  assert.ok(operation, `there is no operation ${path}`);
  return operation;
}

function person() {
  return {
    email: `${randomBytes(8).toString('hex')}@example.com`,
    passwordHash: null,
    firstName: 'Test',
    lastName: 'Person',
    locale: 'en' as const,
    timezone: 'UTC',
  };
}

function ownersToken(accountId: string | null, userId: string): TokenDraft {
  return { accountId, userId, kind: 'api', name: 'test', scopes: ['*'], expiresAt: null };
}
