import './business/products.ts';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import { createLog } from './base/log.ts';
import { type Outbound, openOutbound } from './base/outbound.ts';
import { openKeyFile, type Sealer } from './base/seal.ts';
import { type Config, ConfigError } from './config.ts';
import { DatabaseClock } from './db/database-clock.ts';
import { makeLogin, startEmbeddedPostgres } from './db/embedded.ts';
import { APPLICATION_ROLE, migrate, schemaAccess } from './db/migrate.ts';
import { Pool } from './db/pool.ts';
import { throughLosses } from './db/reachable.ts';

/** One database and its key: what every command works on. */
export interface Installation {
  readonly config: Config;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly keyFile: string;
  /** The database's: one time for all processes. */
  readonly clock: Clock;
  /** By how many milliseconds the clock of this machine is ahead of it. */
  readonly machineAhead: () => number;
  readonly outbound: Outbound;
  readonly url: string;
  /** Straight to PostgreSQL, past any transaction pooler: for the queue. */
  readonly directUrl: string;
  /** As the owner of the tables, for migrations and backups; the same user where the operator made no other. */
  readonly ownerUrl: string;
  readonly readPool: Pool;
  readonly writePool: Pool;
  readonly counterPool: Pool;
  /** For jobs: what they do at length keeps no connection from requests. */
  readonly jobPool: Pool;
  close(): Promise<void>;
}

/** A request that has waited for so long has no one who waits for its answer. */
const REQUEST_STATEMENT_MS = 10_000;
/** Sweeps, roll-ups and checks of all books. */
const STATEMENT_MS = 30_000;

interface Opening {
  readonly waits?: boolean;
  readonly serves?: boolean;
}

/**
 * Opens the installation that the configuration names: the embedded PostgreSQL below the data directory, or
 * the server of DATABASE_URL; brings its schema up to date and opens the key file. With `waits` it waits for that server
 * as long as it is away; without, it says so. With `serves`, statements of requests are given less time than others.
 */
export async function openInstallation(
  config: Config,
  name: string,
  { waits = false, serves = false }: Opening = {},
): Promise<Installation> {
  const log = createLog(config.logLevel);
  const dataDir = resolve(config.data);
  const database = config.databaseUrl === undefined ? await embedded(dataDir, log) : external(config);
  const opened: Pool[] = [];
  try {
    const { url, directUrl, ownerUrl } = database;
    // A migration is all or nothing: one that was cut off is begun again.
    if (waits) await throughLosses({ url: ownerUrl, log }, () => database.prepare());
    else await database.prepare();
    // Beside the data directory, not in it: a copy of the data is then worth nothing without the key.
    const keyFile = resolve(config.keyFile ?? `${dataDir}.key`);
    const sealer = openKeyFile(keyFile);
    const ofRequests = serves ? REQUEST_STATEMENT_MS : STATEMENT_MS;
    const pool = (
      suffix: string,
      size: number,
      { statementTimeoutMs = ofRequests, synchronousCommit = true } = {},
    ) => {
      const one = new Pool({
        url,
        size,
        name: `hostkeep-${name}-${suffix}`,
        role: APPLICATION_ROLE,
        statementTimeoutMs,
        synchronousCommit,
      });
      opened.push(one);
      return one;
    };
    const pools = {
      readPool: pool('read', 4),
      writePool: pool('write', 6),
      counterPool: pool('counter', 1, { synchronousCommit: false }),
      jobPool: pool('job', 6, { statementTimeoutMs: STATEMENT_MS }),
    };
    const clock = new DatabaseClock(pools.readPool, log);
    await clock.start(waits);
    return {
      config,
      log,
      sealer,
      keyFile,
      clock,
      machineAhead: () => clock.machineAhead(),
      outbound: openOutbound(),
      url,
      directUrl,
      ownerUrl,
      ...pools,
      async close() {
        clock.stop();
        await Promise.all(opened.map((one) => one.end()));
        await database.stop();
        log.flush();
      },
    };
  } catch (error) {
    await Promise.all(opened.map((one) => one.end()));
    await database.stop();
    throw refused(error);
  }
}

/** SQLSTATEs of a connection that is refused for good, and what the operator can do about them. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'its user or password is wrong',
  '28000': 'it lets this user not in from here: see its pg_hba.conf',
  '3D000': 'it has no such database: create it, owned by the user of DATABASE_URL',
};

/** What the operator can do about a database that refuses us; the error itself where that is unknown. */
function refused(error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message?: string };
  const problem = REFUSALS[code];
  return problem === undefined
    ? error
    : new ConfigError(`the database of DATABASE_URL refuses us: ${problem} (${message})`);
}

interface OpenDatabase {
  readonly url: string;
  readonly directUrl: string;
  readonly ownerUrl: string;
  /** Brings its schema up to date. */
  prepare(): Promise<void>;
  stop(): Promise<void>;
}

async function embedded(dataDir: string, log: Logger): Promise<OpenDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({
    dataDir,
    log: { info: (line) => log.debug(line), error: (line) => log.error(line) },
  });
  const { url: ownerUrl, loginUrl } = server;
  return {
    url: loginUrl,
    directUrl: loginUrl,
    ownerUrl,
    prepare: async () => await migrate(ownerUrl, [await makeLogin(server)]),
    stop: () => server.stop(),
  };
}

function external({ databaseUrl: url = '', databaseDirectUrl, databaseOwnerUrl }: Config): OpenDatabase {
  const directUrl = databaseDirectUrl ?? url;
  const ownerUrl = databaseOwnerUrl ?? directUrl;
  const login = userOf(directUrl);
  return {
    url,
    directUrl,
    ownerUrl,
    async prepare() {
      if (databaseOwnerUrl !== undefined) return await migrate(ownerUrl, login === null ? [] : [login]);
      const access = await schemaAccess(ownerUrl);
      if (access === 'owner') return await migrate(ownerUrl);
      if (access === 'older')
        throw new ConfigError(
          'the schema is older than this program, and the user of DATABASE_URL may not change it: run `hostkeep migrate` with DATABASE_OWNER_URL',
        );
    },
    stop: async () => {},
  };
}

/** null: the address names none, and libpq's own rules do. */
function userOf(url: string): string | null {
  const user = /^postgres(?:ql)?:\/\/([^:@/?]*)(?::[^@/?]*)?@/.exec(url)?.[1] ?? '';
  return user === '' ? null : decodeURIComponent(user);
}
