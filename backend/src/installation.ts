import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { systemClock } from './base/clock.ts';
import { createLog } from './base/log.ts';
import { type Outbound, openOutbound } from './base/outbound.ts';
import { openKeyFile, type Sealer } from './base/seal.ts';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded.ts';
import { APPLICATION_ROLE, migrate } from './db/migrate.ts';
import { Pool } from './db/pool.ts';

/** One database and its key: what every command works on. */
export interface Installation {
  readonly config: Config;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly keyFile: string;
  readonly clock: typeof systemClock;
  readonly outbound: Outbound;
  readonly url: string;
  /** Straight to PostgreSQL, past any transaction pooler: for the queue and migrations. */
  readonly directUrl: string;
  readonly readPool: Pool;
  readonly writePool: Pool;
  readonly counterPool: Pool;
  close(): Promise<void>;
}

/**
 * Opens the installation that the configuration names: the embedded PostgreSQL below the data directory, or
 * the server of DATABASE_URL; brings its schema up to date and opens the key file.
 */
export async function openInstallation(config: Config, name: string): Promise<Installation> {
  const log = createLog(config.logLevel);
  const dataDir = resolve(config.data);
  const database = config.databaseUrl === undefined ? await embedded(dataDir, log) : external(config);
  try {
    await migrate(database.directUrl);
    // Beside the data directory, not in it: a copy of the data is then worth nothing without the key.
    const keyFile = resolve(config.keyFile ?? `${dataDir}.key`);
    const sealer = openKeyFile(keyFile);
    const pool = (suffix: string, size: number, synchronousCommit = true) =>
      new Pool({
        url: database.url,
        size,
        name: `hostkeep-${name}-${suffix}`,
        role: APPLICATION_ROLE,
        synchronousCommit,
      });
    const pools = {
      readPool: pool('read', 4),
      writePool: pool('write', 6),
      counterPool: pool('counter', 1, false),
    };
    return {
      config,
      log,
      sealer,
      keyFile,
      clock: systemClock,
      outbound: openOutbound(),
      url: database.url,
      directUrl: database.directUrl,
      ...pools,
      async close() {
        await Promise.all(Object.values(pools).map((open) => open.end()));
        await database.stop();
        log.flush();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

interface OpenDatabase {
  readonly url: string;
  readonly directUrl: string;
  stop(): Promise<void>;
}

async function embedded(dataDir: string, log: Logger): Promise<OpenDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({
    dataDir,
    log: { info: (line) => log.debug(line), error: (line) => log.error(line) },
  });
  return { url: server.url, directUrl: server.directUrl, stop: () => server.stop() };
}

function external(config: Config): OpenDatabase {
  const url = config.databaseUrl ?? '';
  return { url, directUrl: config.databaseDirectUrl ?? url, stop: async () => {} };
}
