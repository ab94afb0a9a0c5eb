import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api.ts';
import { Operator } from './operator.ts';
import { type Running, type Settings, serve } from './program.ts';

/** An installation of Hostkeep, as its customers and its operator see it. */
export interface Installation {
  /** Called as the customer `demo`, with every scope. */
  api: Api;
  /** Null where the tests were pointed at an installation without its database. */
  operator: Operator | null;
  stop(): Promise<void>;
}

/** One request after the other from one address is what tests do, and what general limits are there to stop. */
export const NO_RATE_LIMIT: Settings = {
  HOSTKEEP_RATE_TOKEN: '1000000',
  HOSTKEEP_RATE_ACCOUNT: '1000000',
  HOSTKEEP_RATE_ADDRESS: '1000000',
};

/**
 * The installation named by `HOSTKEEP_URLS` and `HOSTKEEP_TOKEN`, else one of its own in a new directory.
 * With `HOSTKEEP_DATA` or `DATABASE_URL` beside them the operator's commands work there too. An installation
 * named so needs general rate limits that let some thousand requests a minute through.
 */
export async function installation(): Promise<Installation> {
  return attached() ?? (await ownInstallation());
}

/** Null unless the tests were pointed at an installation. */
export function attached(): Installation | null {
  const { HOSTKEEP_URLS, HOSTKEEP_TOKEN, ...others } = process.env;
  if (!HOSTKEEP_URLS) return null;
  if (!HOSTKEEP_TOKEN) throw new Error('HOSTKEEP_URLS needs HOSTKEEP_TOKEN: a token of the customer demo');
  const bases = HOSTKEEP_URLS.split(',').map((url) => url.trim().replace(/\/(api\/v2\/?)?$/, ''));
  const settings: Record<string, string> = {};
  for (const name of ['HOSTKEEP_DATA', 'HOSTKEEP_KEY_FILE', 'DATABASE_URL']) {
    const value = others[name];
    if (value) settings[name] = value;
  }
  return {
    api: new Api(bases, HOSTKEEP_TOKEN),
    operator: Object.keys(settings).length > 0 ? new Operator([], settings) : null,
    stop: async () => undefined,
  };
}

/** One that can be killed and started again on the same directory. */
export interface OwnInstallation extends Installation {
  operator: Operator;
  readonly dataDir: string;
  /** Of the server's process, and where it listens. */
  readonly pid: number;
  readonly address: string;
  /** As a power cut does, to the server alone: its database goes on. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export async function ownInstallation(): Promise<OwnInstallation> {
  const directory = await temporaryDirectory();
  const where = ['--data', join(directory, 'data')];
  const start = () => serve(where, NO_RATE_LIMIT);
  const operator = new Operator(where, {});
  let server: Running | undefined;
  let killed = false;
  const stop = async () => {
    // The database outlives a server that was killed: the next one joins it, and takes it along.
    if (killed) server = await start();
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    server = await start();
    const token = await fundedDemo(operator);
    const own: OwnInstallation = {
      api: new Api([server.address], token),
      operator,
      dataDir: join(directory, 'data'),
      get pid() {
        return server?.pid ?? 0;
      },
      get address() {
        return server?.address ?? '';
      },
      async kill() {
        await server?.kill();
        killed = true;
      },
      async restart() {
        server = await start();
        killed = false;
        own.api = new Api([server.address], token);
      },
      stop,
    };
    return own;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A token of the customer `demo`, who gets enough money for all that the tests order. */
export async function fundedDemo(operator: Operator): Promise<string> {
  const [token] = await Promise.all([operator.token('demo'), operator.adjustBalance('demo', '500.00')]);
  return token;
}

/** Another OS user may pass through: started by root, PostgreSQL runs as one. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-acceptance-'));
  await chmod(directory, 0o711);
  return directory;
}
