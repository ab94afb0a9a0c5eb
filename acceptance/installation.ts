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
export const NO_RATE_LIMIT: Settings = { HOSTKEEP_RATE_TOKEN: '1000000', HOSTKEEP_RATE_ADDRESS: '1000000' };

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
  server: Running;
  restart(): Promise<void>;
}

export async function ownInstallation(): Promise<OwnInstallation> {
  const directory = await temporaryDirectory();
  const where = ['--data', join(directory, 'data')];
  const operator = new Operator(where, {});
  const server = await serve(where, NO_RATE_LIMIT);
  const [token] = await Promise.all([operator.token('demo'), operator.adjustBalance('demo', '500.00')]);
  const own: OwnInstallation = {
    api: new Api([server.address], token),
    operator,
    server,
    async restart() {
      own.server = await serve(where, NO_RATE_LIMIT);
      own.api = new Api([own.server.address], token);
    },
    async stop() {
      await own.server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return own;
}

/** Another OS user may pass through: started by root, PostgreSQL runs as one. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-acceptance-'));
  await chmod(directory, 0o711);
  return directory;
}
