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

const ORPHANS = /pre-existing shared memory block/;
const OTHER_SERVER = /lock file "postmaster.pid" already exists/;
const PORT_TAKEN = /could not create any TCP\/IP sockets|could not bind/;
const ATTEMPTS = 50;

/**
 * The server of a home, accepting connections, with its database: the one that runs, or else a new one, on `endpoint`
 * when one is given. Called with the home's lock held, so only what processes left that were killed can interfere:
 * children of a dead server, and a server so young that it has not yet said that it is there.
 */
export async function attach(
  home: Home,
  binaries: Binaries,
  launch: Launch,
  endpoint?: Endpoint,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const running = await adopt(home, launch);
    if (running !== undefined) return running;
    try {
      return await start(home, binaries, launch, endpoint);
    } catch (error) {
      const complaint = messageOf(error);
      const passes = [ORPHANS, OTHER_SERVER, PORT_TAKEN].some((reason) => reason.test(complaint));
      if (!passes || attempt === ATTEMPTS) throw error;
      if (ORPHANS.test(complaint)) await killOrphans(home);
      await setTimeout(100);
    }
  }
}

/** For a server that says it is ready to let one in. */
const CONNECTING_MS = 10_000;

async function adopt(home: Home, { log }: Launch): Promise<Postmaster | undefined> {
  const patience = performance.now() + CONNECTING_MS;
  for (;;) {
    const found = await runningPostmaster(home);
    if (found === undefined) return undefined;
    try {
      await untilReady(home, found, () => log.info(`PostgreSQL (process ${found.pid}) is ${found.status}`));
      const ready = await runningPostmaster(home); // only now it says where it listens
      if (ready === undefined) continue;
      await openDatabase(home, ready.endpoint);
      log.info(`PostgreSQL runs already (process ${ready.pid}), with the settings it was started with`);
      return ready;
    } catch (error) {
      if (hasEnded(found)) continue;
      if (!comesOrGoes(error) || performance.now() > patience) {
        throw new Error(
          `PostgreSQL runs in ${home.path} (process ${found.pid}) and cannot be used: ${messageOf(error)}`,
          { cause: error },
        );
      }
      await setTimeout(20);
    }
  }
}

async function start(
  home: Home,
  binaries: Binaries,
  { log, durable, settings }: Launch,
  given: Endpoint | undefined,
): Promise<Postmaster> {
  const begun = performance.now();
  if (await ensureCluster(home, binaries, durable)) log.info(`PostgreSQL: new database in ${home.path}`);
  await disownReusedPid(home);
  const endpoint = given ?? (await chooseEndpoint(home));
  await configure(home, endpoint, durable, settings);
  const postmaster = await spawnPostmaster(home, binaries, endpoint);
  try {
    await untilReady(home, postmaster, () => log.info('PostgreSQL recovers from a crash'));
    await openDatabase(home, endpoint);
  } catch (error) {
    await stopPostmaster(home, binaries, postmaster);
    throw new Error(`PostgreSQL does not start in ${home.path}:\n${messageOf(error)}`, { cause: error });
  }
  const took = Math.round(performance.now() - begun);
  log.info(`PostgreSQL ${binaries.version} runs (process ${postmaster.pid}) after ${took} ms`);
  return postmaster;
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
    if (served !== home.cluster) throw new Error(`it serves ${served}, not ${home.cluster}`);
  } finally {
    await client.end();
  }
}

/** The statement of a process that was killed meanwhile may still be at work on the same: then that has done it. */
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
  client.on('error', () => {}); // the statement under way fails too
  await client.connect();
  return client;
}

/** Of a server that starts or stops: 57P01 admin_shutdown, 57P03 cannot_connect_now, no socket, or one that closes. */
function comesOrGoes(error: unknown): boolean {
  return ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
