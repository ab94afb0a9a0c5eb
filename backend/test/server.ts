// Needs: database

import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../src/db/embedded/os-process.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts';
import { prepareCluster } from './prepared-cluster.ts';

/** The PostgreSQL that tests make their databases in. */
export interface TestServer {
  readonly url: string;
  /** To be called once for each `testServer()`; the last call stops a server that was started here. */
  release(): Promise<void>;
}

let own: Promise<EmbeddedPostgres> | undefined;
let users = 0;

/** The server named by HOSTKEEP_TEST_POSTGRES, else an embedded one of this process. */
export async function testServer(): Promise<TestServer> {
  const given = process.env.HOSTKEEP_TEST_POSTGRES;
  if (given) return { url: given, release: async () => {} };
  users++;
  own ??= startTemporaryServer();
  const server = await own;
  return {
    url: server.url,
    release: async () => {
      users--;
      if (users > 0) return;
      own = undefined;
      await server.stop();
    },
  };
}

/** Gone with all its data after `stop`, and also when this process ends without. */
export async function startTemporaryServer(
  more: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hostkeep-'));
  await chmod(dataDir, 0o711); // for the server's user, when this is root
  await prepareCluster(dataDir);
  const settings = { max_connections: '200', ...more };
  const server = await startEmbeddedPostgres({ dataDir, durable: false, settings });
  const atExit = () => {
    endNow(server.pid);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 });
  };
  const atSignal = () => process.exit(1);
  process.once('exit', atExit);
  process.once('SIGINT', atSignal).once('SIGTERM', atSignal);
  return {
    url: server.url,
    loginUrl: server.loginUrl,
    get pid() {
      return server.pid;
    },
    stop: async () => {
      await server.stop();
      process.off('exit', atExit).off('SIGINT', atSignal).off('SIGTERM', atSignal);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const ENDING_MS = 3_000;

/** Stops a PostgreSQL without writing anything, and waits without leaving the event: nothing else runs any more. */
function endNow(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGQUIT');
  const late = performance.now() + ENDING_MS;
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (isRunning(pid) && performance.now() < late) Atomics.wait(nothing, 0, 0, 10);
}
