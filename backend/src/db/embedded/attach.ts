import { realpath } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries } from './binaries.ts';
import { ensureCluster, OWNER } from './cluster.ts';
import { configure, type ServerSettings } from './configuration.ts';
import { chooseEndpoint, type Endpoint, urlOf } from './endpoint.ts';
import type { Home } from './home.ts';
import {
  disownReusedPid,
  hasEnded,
  killOrphans,
  type Postmaster,
  runningPostmaster,
  spawnPostmaster,
  stopPostmaster,
  untilGone,
  untilReady,
} from './postmaster.ts';

/** The application's database. */
export const DATABASE = 'hostkeep';

/** What a server is started with. */
export interface Launch {
  readonly durable: boolean;
  readonly settings: ServerSettings;
  readonly log: { info(message: string): void; error(message: string): void };
}

/**
 * The server of a home, accepting connections, with its database: the one that runs, or else a new one, on `endpoint`
 * when one is given. Called with the home's lock held.
 */
export async function attach(
  home: Home,
  binaries: Binaries,
  launch: Launch,
  endpoint?: Endpoint,
): Promise<Postmaster> {
  return (await adopt(home, launch)) ?? (await start(home, binaries, launch, endpoint));
}

async function adopt(home: Home, { log }: Launch): Promise<Postmaster | undefined> {
  const found = await runningPostmaster(home);
  if (found === undefined) return undefined;
  try {
    await untilReady(home, found, () => log.info(`PostgreSQL (process ${found.pid}) is ${found.status}`));
    await openDatabase(home, found.endpoint);
  } catch (error) {
    if (!hasEnded(found) && !isShuttingDown(error)) {
      const complaint = error instanceof Error ? error.message : String(error);
      throw new Error(
        `PostgreSQL runs in ${home.path} (process ${found.pid}) but cannot be used: ${complaint}`,
        {
          cause: error,
        },
      );
    }
    await untilGone(found);
    return undefined;
  }
  log.info(`PostgreSQL runs already (process ${found.pid}), with the settings it was started with`);
  return found;
}

const ORPHANS = /pre-existing shared memory block/;
/** What another attempt may not meet again: children of a killed server, and a port that was taken meanwhile. */
const PASSING = /pre-existing shared memory block|could not create any TCP\/IP sockets|could not bind/;
const ATTEMPTS = 50;

async function start(
  home: Home,
  binaries: Binaries,
  launch: Launch,
  given: Endpoint | undefined,
): Promise<Postmaster> {
  const { log, durable, settings } = launch;
  const begun = performance.now();
  if (await ensureCluster(home, binaries, durable)) log.info(`PostgreSQL: new database in ${home.path}`);
  await disownReusedPid(home);
  for (let attempt = 1; ; attempt++) {
    const endpoint = given ?? (await chooseEndpoint(home));
    await configure(home, endpoint, durable, settings);
    const postmaster = await spawnPostmaster(home, binaries, endpoint);
    try {
      await untilReady(home, postmaster, () => log.info('PostgreSQL recovers from a crash'));
      await openDatabase(home, endpoint);
      const took = Math.round(performance.now() - begun);
      log.info(`PostgreSQL ${binaries.version} runs (process ${postmaster.pid}) after ${took} ms`);
      return postmaster;
    } catch (error) {
      await stopPostmaster(home, binaries, postmaster);
      if (attempt === ATTEMPTS || !(error instanceof Error) || !PASSING.test(error.message)) {
        const complaint = error instanceof Error ? error.message : String(error);
        throw new Error(`PostgreSQL does not start in ${home.path}:\n${complaint}`, { cause: error });
      }
      if (ORPHANS.test(error.message)) await killOrphans(home);
      await setTimeout(100);
    }
  }
}

/** Makes sure of the right server and of its database. */
async function openDatabase(home: Home, endpoint: Endpoint): Promise<void> {
  const client = await connect(home, endpoint, DATABASE).catch(async (error: unknown) => {
    if (codeOf(error) !== '3D000') throw error; // invalid_catalog_name
    await createDatabase(home, endpoint);
    return await connect(home, endpoint, DATABASE);
  });
  try {
    const { rows } = await client.query<{ directory: string }>(
      "SELECT current_setting('data_directory') AS directory",
    );
    const served = await realpath(rows[0]?.directory ?? '');
    if (served !== home.cluster) throw new Error(`the server there serves ${served}, not ${home.cluster}`);
  } finally {
    await client.end();
  }
}

/** The statement of a process that was killed meanwhile may still be at work on the same: it then has done it. */
async function createDatabase(home: Home, endpoint: Endpoint): Promise<void> {
  const client = await connect(home, endpoint, 'postgres');
  try {
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  } catch (error) {
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error; // duplicate_database, unique_violation
  } finally {
    await client.end();
  }
}

async function connect(home: Home, endpoint: Endpoint, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await urlOf(home, endpoint, database),
    application_name: 'hostkeep-start',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  return client;
}

/** 57P01 admin_shutdown, 57P03 cannot_connect_now; or the socket went just before. */
function isShuttingDown(error: unknown): boolean {
  return ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
